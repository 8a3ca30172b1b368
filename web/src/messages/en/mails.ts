/** The words about emails that did not arrive, on System and on the desk. */
export const mailMessages = {
  title: 'Undelivered email',
  lead: "We delete an address 7 days after delivery failed. After that the email can't be sent again.",
  empty: 'No undelivered email.',
  failed: "Couldn't load undelivered email.",
  more: 'Show more',
  moreFailed: "Couldn't load more.",
  retry: 'Send again',
  retryLabel: (mail: string) => `Send again: ${mail}`,
  queued: 'Queued. If it fails again, it returns to this list.',
  notQueued: "Couldn't send the email again.",
  addressGone: "Can't be sent again: the address was deleted.",
  noRecord: 'Record unknown',
  kind: (kind: string) => KINDS[kind] ?? kind,
  code: (code: string) => CODES[code] ?? `${reasonOf(code)} (${code})`,

  alerts: (count: number) =>
    count === 1 ? "An alert email wasn't delivered" : `${count} alert emails weren't delivered`,
  alertsNext: 'Tell the people on call yourself. Email status:',
  alertsUnknown: "Couldn't check whether alert emails were delivered. Refresh the page.",
  stillTrying: 'still trying',
  notDelivered: 'no longer tried',
}

const KINDS: Record<string, string> = {
  'request-received': 'Confirmation of a privacy request',
  'privacy-request-opened': 'New privacy request, to you',
  'ticket-opened': 'New request, to you',
  'ticket-reported': 'Alert: client report, to you',
  'ticket-received': 'Confirmation of a request',
  'ticket-answered': 'Reply to the client',
  'ticket-replied': 'Client reply, to you',
  'ticket-closed': 'Request closed',
  'ticket-reopened': 'Request reopened',
}

const CODES: Record<string, string> = {
  outdated: 'Not sent: the record was deleted or has changed since',
  expired: 'Not sent within 7 days',
  'unknown-kind': "This version doesn't know this kind of email: install the newer one again",
  'internal-error': 'Error on our side: search the log for the job send-mail',
}

function reasonOf(code: string) {
  if (/^5\d\d 5\.1\.(?![78]$)/.test(code)) return 'Address refused'
  return /^\d/.test(code) ? 'Refused by the mail relay' : 'Not sent'
}
