import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { element } from './model-menu.ts'

const LOADING_AFTER_MS = 150

let timer: ReturnType<typeof setTimeout> | undefined
let failures = 0
let note: Element | null = null

/** Shown while a click waits for the app. Outside #root, which hydration must find unchanged. */
export function showLoading() {
  hideFailure()
  timer ??= setTimeout(() => showText(specifiedMessages.loadingApp), LOADING_AFTER_MS)
}

export function hideLoading() {
  clearTimeout(timer)
  timer = undefined
  showText('')
}

function showText(text: string) {
  const line = document.getElementById('app-status')
  if (line) line.textContent = text
}

/** Reports that the app can't be loaded. From the second failure on it offers a reload: a release may have replaced the files. */
export function showFailure(onTryAgain: () => void) {
  failures += 1
  const { parts, notLoaded, stillNotLoaded, tryAgain, reloadPage } = siteMessages
  const isRepeated = failures > 1
  const addButton = (label: string, run: () => void) => {
    const button = element('button', { type: 'button', class: 'btn btn-secondary btn-sm' }, [label])
    button.addEventListener('click', run)
    return button
  }
  hideFailure()
  note = element('div', { class: 'note danger part-failed over', role: 'alert' }, [
    element('div', {}, [
      element('p', {}, [isRepeated ? stillNotLoaded(parts.page) : notLoaded(parts.page)]),
      element('div', { class: 'acts' }, [
        addButton(tryAgain, onTryAgain),
        ...(isRepeated ? [addButton(reloadPage, () => window.location.reload())] : []),
      ]),
    ]),
  ])
  document.body.append(note)
}

export function hideFailure() {
  note?.remove()
  note = null
}
