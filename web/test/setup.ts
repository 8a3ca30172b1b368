/** What jsdom lacks of native overlays: as much of it as our components rely on. */
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
  // Its style sheet hides every popover.
  HTMLElement.prototype.showPopover = function showPopover() {
    this.style.display = 'block'
  }
  HTMLElement.prototype.togglePopover = () => true
}

// Tests of what the server renders run without a document.
if (typeof HTMLDialogElement !== 'undefined') completeDialogs()
