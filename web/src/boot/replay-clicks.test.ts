import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  hasUnsavedInput,
  queuedClicks,
  holdClick,
  replayClicks,
  takeClicks,
} from './replay-clicks.ts'
import { collectFields, readFields, restoreFields } from './preserve-input.ts'

afterEach(() => {
  takeClicks()
  document.body.replaceChildren()
})

const show = (main: string) =>
  (document.body.innerHTML = `<div id="root"><main>${main}</main></div>`)

function find<T extends Element = HTMLButtonElement>(selector: string): T {
  const found = document.querySelector<T>(selector)
  if (!found) throw new Error(`${selector} is not in the page`)
  return found
}

function recordClicks() {
  const clickedTexts: string[] = []
  find<HTMLElement>('#root').addEventListener('click', ({ target }) => {
    if (target instanceof HTMLElement) clickedTexts.push(target.textContent)
  })
  return clickedTexts
}

test('a checkbox counts as unsaved input only if it was switched', () => {
  show('<input type="checkbox" checked><input type="radio"><input><textarea>a</textarea>')
  expect(hasUnsavedInput()).toBe(false)
  find<HTMLInputElement>('input').checked = false
  expect(hasUnsavedInput()).toBe(true)
})

describe('an early click', () => {
  test('a button clicked twice before the app runs is marked busy, then clicked once', () => {
    show('<button>Send message</button>')
    holdClick(find('button'))
    holdClick(find('button'))
    expect(find('button').getAttribute('aria-busy')).toBe('true')
    expect(queuedClicks()).toEqual([find('button')])
    const clickedTexts = recordClicks()
    replayClicks()
    replayClicks()
    expect(clickedTexts).toEqual(['Send message'])
    expect(find('button').hasAttribute('aria-busy')).toBe(false)
  })

  test('early clicks are replayed in their order', () => {
    show('<button>First</button><button>Second</button>')
    holdClick(find('button + button'))
    holdClick(find('button'))
    const clickedTexts = recordClicks()
    replayClicks()
    expect(clickedTexts).toEqual(['Second', 'First'])
  })

  test('an early submit is replayed as a submit event', () => {
    show('<form><button type="submit">Send request</button></form>')
    const submit = vi.fn<(event: Event) => void>((event) => event.preventDefault())
    find('form').addEventListener('submit', submit)
    holdClick(find('button'))
    replayClicks()
    expect(submit).toHaveBeenCalledOnce()
  })

  test('an early click on a re-rendered button is matched by id, otherwise by text and name', () => {
    show('<button id="one">Old</button><button aria-label="Close menu">x</button>')
    holdClick(find('#one'))
    holdClick(find('[aria-label]'))
    show(
      '<button>x</button><button aria-label="Close menu">x</button><button id="one">New</button>',
    )
    const clickedTexts = recordClicks()
    const closed = vi.fn<() => void>()
    find('[aria-label]').addEventListener('click', closed)
    replayClicks()
    expect(clickedTexts).toEqual(['New', 'x'])
    expect(closed).toHaveBeenCalledOnce()
  })

  test('an early click on Login is not replayed on Logout', () => {
    show('<button>Login</button>')
    holdClick(find('button'))
    show('<button>Logout</button>')
    const clickedTexts = recordClicks()
    replayClicks()
    expect(clickedTexts).toEqual([])
  })
})

describe('early input', () => {
  const FORM = `
    <input name="subject"><textarea name="message"></textarea><input name="untouched" value="as it was">
    <select name="kind"><option>access</option><option>deletion</option></select>
    <input type="checkbox" name="own">
    <input type="radio" name="type" value="Query" checked><input type="radio" name="type" value="Report">`
  const valuesNow = () =>
    [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')].map((field) =>
      ['radio', 'checkbox'].includes(field.type) ? field.checked : field.value,
    )
  const TYPED = ['Backups', 'Two words', 'as it was', 'deletion', true, false, true]

  function type() {
    find<HTMLInputElement>('[name="subject"]').value = 'Backups'
    find<HTMLTextAreaElement>('textarea').value = 'Two words'
    find<HTMLSelectElement>('select').value = 'deletion'
    find<HTMLInputElement>('[name="own"]').checked = true
    find<HTMLInputElement>('[value="Report"]').checked = true
  }

  beforeEach(() => void show(FORM))

  test('input typed before the app runs is restored if the app resets the fields', () => {
    collectFields()
    type()
    readFields()
    find<HTMLInputElement>('[name="subject"]').value = ''
    find<HTMLTextAreaElement>('textarea').value = 'Of a draft'
    find<HTMLSelectElement>('select').value = 'access'
    find<HTMLInputElement>('[name="own"]').checked = false
    find<HTMLInputElement>('[value="Query"]').checked = true
    const heard: string[] = []
    for (const kind of ['input', 'change', 'click'])
      document.body.addEventListener(kind, ({ target }) => {
        heard.push(`${kind} ${(target as HTMLInputElement).name}`)
      })
    restoreFields()
    expect(valuesNow()).toEqual(TYPED)
    // The events that React’s handlers listen to.
    expect(heard).toContain('input subject')
    expect(heard).toContain('input message')
    expect(heard).toContain('change kind')
    expect(heard).toContain('click own')
    expect(heard.some((one) => one.endsWith('untouched'))).toBe(false)
  })

  test('input typed before the app runs is restored into re-rendered fields', () => {
    collectFields()
    type()
    show(FORM)
    readFields()
    restoreFields()
    expect(valuesNow()).toEqual(TYPED)
  })

  test('input typed before the app runs is not restored into another field', () => {
    collectFields()
    type()
    readFields()
    show(FORM.replace('name="subject"', 'name="email"'))
    restoreFields()
    expect(find<HTMLInputElement>('[name="email"]').value).toBe('')
    expect(find<HTMLTextAreaElement>('textarea').value).toBe('Two words')
  })

  test('an untouched field keeps the app’s value', () => {
    collectFields()
    readFields()
    find<HTMLInputElement>('[name="subject"]').value = 'Of a draft'
    restoreFields()
    expect(find<HTMLInputElement>('[name="subject"]').value).toBe('Of a draft')
  })
})
