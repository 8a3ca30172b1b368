// Fixes accessibility of Keycloak’s templates: field names, heading and focus order, keyboard support of clickable elements.
addEventListener('DOMContentLoaded', () => {
  for (const label of document.querySelectorAll('label[for]'))
    if (!document.getElementById(label.htmlFor)) {
      const field = label.closest('.gh-group')?.querySelector('input:not([type=hidden])')
      if (field) label.htmlFor = field.id
    }
  for (const heading of document.querySelectorAll('h4')) heading.ariaLevel = '2'
  for (const note of document.querySelectorAll('.gh-alert')) note.role ??= 'status'
  document
    .getElementById('kc-totp-secret-qr-code')
    ?.setAttribute('alt', 'Code to scan with the app')
  for (const part of document.querySelectorAll('[tabindex="4"]')) part.removeAttribute('tabindex')
  for (const part of document.querySelectorAll('div[onclick]')) {
    part.role = 'button'
    part.tabIndex = 0
    part.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      part.click()
    })
  }
  const rule = document.getElementById('gh-rule')
  const ruled = document.getElementById(rule?.dataset.field ?? '')
  if (ruled) {
    const hint = Object.assign(document.createElement('p'), {
      id: 'gh-rule-hint',
      className: 'gh-hint',
      textContent: rule.innerHTML,
    })
    ruled.closest('.gh-group')?.append(hint)
    ruled.setAttribute('aria-describedby', hint.id)
  }
  // Keycloak's comparison is case-sensitive, and its codes are upper case.
  const recovery = document.getElementById('recoveryCodeInput')
  recovery?.form.addEventListener('submit', () => (recovery.value = recovery.value.toUpperCase()))
  // Default name of the device: not empty, and unchanged after a wrong code.
  const phone = document.getElementById('userLabel')
  const form = document.getElementById('kc-totp-settings-form')
  if (phone && form) {
    const isAgain = form.querySelector('[aria-invalid=true]') !== null
    phone.value ||= (isAgain && sessionStorage.getItem('phone')) || 'Phone'
    form.addEventListener('submit', () => sessionStorage.setItem('phone', phone.value))
  }
})
