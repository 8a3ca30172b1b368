import { inject, vi } from 'vitest'

// Runs before every file. Files share a process and its document: each starts with modules and storage of its own.
vi.resetModules()
const { provideParts } = await import('../src/base/site-data.ts')
provideParts(inject('siteParts'))

/** Polyfills for native dialogs and popovers, which jsdom lacks. */
function completeDialogs() {
  const before = new WeakMap<HTMLDialogElement, Element | null>()
  HTMLDialogElement.prototype.showModal = function showModal() {
    before.set(this, document.activeElement)
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    if (!this.open) return
    this.open = false
    const opener = before.get(this)
    if (opener instanceof HTMLElement) opener.focus()
  }
  // jsdom's style sheet hides popovers.
  HTMLElement.prototype.showPopover = function showPopover() {
    this.style.display = 'block'
  }
  HTMLElement.prototype.togglePopover = () => true
  // jsdom has no pointers to capture either.
  HTMLElement.prototype.setPointerCapture = () => {}
}

/** jsdom has no layout, so nothing ever comes into view. */
class SilentIntersectionObserver {
  observe() {}
  disconnect() {}
}

// Server rendering tests have no document.
if (typeof HTMLDialogElement !== 'undefined') {
  completeDialogs()
  Object.assign(window, { IntersectionObserver: SilentIntersectionObserver })
  clearDocument()
  addSiteData()
}

/** For tests that reset the modules. */
function addSiteData() {
  const block = document.createElement('script')
  block.type = 'application/json'
  block.id = 'site'
  block.textContent = JSON.stringify(inject('siteParts').site)
  document.head.append(block)
}

function clearDocument() {
  sessionStorage.clear()
  localStorage.clear()
  history.replaceState(null, '', '/')
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const name of document.documentElement.getAttributeNames())
    document.documentElement.removeAttribute(name)
}
