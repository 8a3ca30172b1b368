import { mailTexts, type SiteConfig } from '@gatehouse/model'
import { expect, test } from 'vitest'
import { CONFIG } from '../test/kit.ts'
import { accountMails } from '#clients/account-mails.ts'
import { privacyMails } from '#privacy/mails.ts'
import { securityMailKinds } from '#security/mails.ts'
import { staffMails } from '#staff/mails.ts'
import { messageMails, ticketMails } from '#tickets/mails.ts'

const { phone: _, emergency: _e, hours: _h, holidays: _d, ...plain } = CONFIG.site
const UNSET: SiteConfig = { ...CONFIG, site: { ...plain, responseHours: 8 } }
const SET: SiteConfig = {
  ...UNSET,
  site: {
    ...UNSET.site,
    phone: '+353 20 910 0100',
    emergency: { phone: '+353 20 910 0911', note: 'Day and night.' },
    hours: { monday: ['08:00-18:00'], tuesday: ['08:00-18:00'] },
  },
}
const SIGNATURE = `${CONFIG.controller.name}\n${CONFIG.controller.address}`
const EMERGENCY = 'Emergency: +353 20 910 0911\nDay and night.'

const ticket = (contactType: string) => ({
  id: 'ticket-1',
  ticketId: 'ticket-1',
  number: 7,
  subject: 'Printer',
  message: 'Off',
  fullName: 'Nora',
  email: 'nora@example.test',
  contactType,
  phone: null,
  callbackWish: null,
  status: 'Closed',
  isProven: true,
  to: 'client' as const,
})
const message = (contactType: string) => ({
  ...ticket(contactType),
  body: 'On again',
  authorName: null,
  setsStatus: null,
})
const request = { reference: 'PR-1', kind: 'access' as const, dueOn: '2026-12-01' }

/** Every mail to a person outside the desk. */
const mailsTo = (config: SiteConfig, type: string) => {
  const about = [config, mailTexts] as const
  return {
    'ticket-received': ticketMails['ticket-received'].text(ticket(type), ...about),
    'ticket-opened-for': ticketMails['ticket-opened-for'].text(ticket(type), ...about),
    'ticket-closed': ticketMails['ticket-closed'].text(ticket(type), ...about),
    'ticket-reopened': ticketMails['ticket-reopened'].text(ticket(type), ...about),
    'ticket-answered': messageMails['ticket-answered'].text(message(type), ...about),
    'request-received': privacyMails['request-received'].text(request, ...about),
    'staff-level': staffMails['staff-level'].text({ level: 'owner' }, ...about),
    'factors-removed': accountMails['factors-removed'].text({ id: 'account-1' }, ...about),
    'guessed-at': securityMailKinds['guessed-at'].text({}, ...about),
  }
}
const textsTo = (config: SiteConfig, type = 'Query') =>
  Object.entries(mailsTo(config, type)).map(([kind, { text }]) => [kind, text] as const)

test.each(textsTo(SET))(
  'mail %s is signed with the site’s phone and opening hours',
  (_kind, text) => {
    expect(text).toContain(`\n\n${SIGNATURE}\nPhone: +353 20 910 0100\nMon–Tue 08:00–18:00\n`)
    expect(text).not.toContain('Emergency')
  },
)

test.each(textsTo(UNSET, 'Report'))(
  'mail %s of a site without contact details has the address alone',
  (_kind, text) => {
    expect(text).toContain(`\n\n${SIGNATURE}\n`)
    expect(text).not.toMatch(/Phone:|Emergency|08:00|undefined/)
  },
)

test.each(textsTo(SET, 'Report').filter(([kind]) => kind.startsWith('ticket-')))(
  'mail %s about a Client Report has the emergency number',
  (_kind, text) => {
    expect(text).toContain(`\n\n${EMERGENCY}\n\n`)
  },
)

test('a mail’s response time is in working hours on a site with opening hours', () => {
  expect(mailsTo(SET, 'Query')['ticket-received'].text).toContain('within 8 working hours.')
  expect(mailsTo(UNSET, 'Query')['ticket-received'].text).toContain('within 8 hours.')
})
