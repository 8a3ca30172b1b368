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
}

// Server rendering tests have no document.
if (typeof HTMLDialogElement !== 'undefined') completeDialogs()
