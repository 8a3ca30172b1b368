import { formatNumber, plural } from '#base/format.ts'

/** Undelivered email, on System and on the desk. */
export const mailMessages = {
  title: 'Undelivered email',
  lead: 'We delete an address 7 days after delivery fails. After that the email can’t be sent again.',
  empty: 'No undelivered email.',
  failed: 'Couldn’t load undelivered email.',
  more: 'Show more',
  moreFailed: 'Couldn’t load more.',
  retry: 'Send again',
  retryLabel: (mail: string) => `Send again: ${mail}`,
  queued: 'Queued. If it fails again, it returns to this list.',
  notQueued: 'Couldn’t send the email again.',
  addressGone: 'Can’t be sent again: the address was deleted.',
  noRecord: 'unknown record',

  alerts: (count: number) =>
    plural(count, {
      one: 'An alert email wasn’t delivered',
      other: `${formatNumber(count)} alert emails weren’t delivered`,
    }),
  alertsNext: 'Contact the people on call directly. Email status: <link>System</link>',
  alertsUnknown: 'Couldn’t check whether alert emails were delivered. Refresh the page.',
  stillTrying: 'still trying',
  notDelivered: 'no further attempts',

  kinds: {
    'request-received': 'Confirmation of a privacy request',
    'privacy-request-opened': 'New privacy request (to staff)',
    'ticket-opened': 'New request (to staff)',
    'ticket-reported': 'Alert: client report (to staff)',
    'ticket-received': 'Confirmation of a request',
    'ticket-answered': 'Reply to the client',
    'ticket-replied': 'Client reply (to staff)',
    'ticket-closed': 'Request closed',
    'ticket-reopened': 'Request reopened',
    'staff-level': 'Made staff or owner',
    'factors-removed': 'Second step removed',
  } as Record<string, string>,
  codes: {
    outdated: 'Not sent: the record was deleted or has changed since',
    expired: 'Not sent within 7 days',
    'unknown-kind': 'This version can’t send this kind of email. Reinstall the newer version',
    'internal-error': 'Internal error. Search the log for the send-mail job',
  } as Record<string, string>,
  /** By what the relay refused. */
  answered: {
    address: (code: string) => `Address refused (${code})`,
    relay: (code: string) => `Refused by the mail relay (${code})`,
    other: (code: string) => `Not sent (${code})`,
  },
}
