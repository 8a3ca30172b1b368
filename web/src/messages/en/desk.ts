import { formatNumber, plural } from '#base/format.ts'

const days = (count: number) =>
  plural(count, { one: '1 day', other: `${formatNumber(count)} days` })
const hours = (count: number) =>
  plural(count, { one: '1 hour', other: `${formatNumber(count)} hours` })
const minutes = (count: number) =>
  plural(count, { one: '1 minute', other: `${formatNumber(count)} minutes` })

const SPAN = { day: days, hour: hours, minute: minutes }
type Unit = keyof typeof SPAN

export const deskMessages = {
  title: 'Desk',
  lead: 'Work waiting for you, oldest first. Select a number to open its list.',
  next: 'Reply next',
  nextEmpty: 'You’re up to date. No ticket is waiting for a reply.',
  dueIn: (count: number, unit: Unit) => `Due in ${SPAN[unit](count)}`,
  overdueBy: (count: number, unit: Unit) => `Overdue by ${SPAN[unit](count)}`,
  age: 'Waiting time',
  ages: {
    hours: 'Under 4 hours',
    day: '4 to 24 hours',
    days: '1 to 3 days',
    longer: 'Over 3 days',
  },
  callbacks: 'Scheduled callbacks',
  callbacksEmpty: 'No callbacks scheduled.',
  incidents: 'Open incidents',
  clock: '72-hour deadline',
  incidentsEmpty: 'No open incidents.',
  links: 'Access requests',
  linksEmpty: 'No access requests.',
  accessFor: (name: string) => `access for ${name}`,
  numbers: 'Summary',
  everything: 'everything on this page',
  failed: 'Couldn’t load this. Refresh the page.',
  /** Decisions on an access request; each runs an action on the account. */
  decisions: {
    approve: {
      label: 'Approve',
      done: (name: string) => `${name} now has access.`,
      failed: (name: string) => `The request from ${name} wasn’t approved.`,
    },
    refuse: {
      label: 'Decline',
      done: (name: string) => `Request from ${name} declined.`,
      failed: (name: string) => `The request from ${name} wasn’t declined.`,
    },
  },
  counted: {
    unanswered: 'Awaiting reply',
    overdue: 'Overdue',
    callbacks: 'Scheduled callbacks',
    incidents: 'Open incidents',
    breaches: 'Breaches to notify',
    contracts: 'Contracts ending within 60 days',
    warranties: 'Warranties ending within 60 days',
    links: 'Access requests',
    contactDiffers: 'Tickets with a contact of another organisation',
    privacyOpen: 'Open privacy requests',
    privacyOverdue: 'Overdue privacy requests',
  },
}
