import { describe, expect, test } from 'vitest'
import { rawEmail } from '../../test/raw-email.ts'
import { alertKeyOf, chooseDestination, type EmailFacts } from './destination.ts'
import { isOwnEmail } from './automatic.ts'
import { readEmail } from './read-email.ts'
import { buildReplyTokens } from './reply-tokens.ts'

const AUTHSERV = 'mx.desk.example'
const SENT_ID = '0199c1a2-7b3c-7d4e-8f50-a1b2c3d4e5f6'
const desk = 'desk@desk.example'
const tokens = buildReplyTokens({ secrets: ['signs-the-emails-of-tests-only'], desk })
const rightMac = tokens.replyAddress(42) ?? ''

/** Recipient by what its mac is worth for ticket 42. */
const MACS = {
  right: rightMac,
  altered: rightMac.replace(/.(?=@)/, (last) => (last === 'a' ? 'b' : 'a')),
  'another ticket’s': (tokens.replyAddress(7) ?? '').replace('+7.', '+42.'),
  none: desk,
}

const verdict = (result: string, { server = AUTHSERV, domain = 'client.example' } = {}) =>
  `Authentication-Results: ${server}; dmarc=${result} header.from=${domain}`
const from = (address: string) => `From: Somebody <${address}>`

/** Fields by how the sender is proven. `%` stands for the address. */
const SENDERS: Record<string, { fields: (address: string) => string[]; isProven: boolean }> = {
  proven: { fields: (a) => [verdict('pass'), from(a)], isProven: true },
  'not proven': { fields: (a) => [verdict('fail'), from(a)], isProven: false },
  'without a header': { fields: (a) => [from(a)], isProven: false },
  'with a forged header below': {
    fields: (a) => [verdict('fail'), verdict('pass'), from(a)],
    isProven: false,
  },
  'with a forged header alone': {
    fields: (a) => [verdict('pass', { server: 'mx.evil.example' }), from(a)],
    isProven: false,
  },
  'with two From lines': {
    fields: (a) => [verdict('pass'), from('eve@client.example'), from(a)],
    isProven: false,
  },
  'with two addresses': {
    fields: (a) => [verdict('pass'), `From: <eve@client.example>, <${a}>`],
    isProven: false,
  },
  'of a look-alike domain': {
    fields: (a) => [
      verdict('pass', { domain: 'cl1ent.example' }),
      from(a.replace('client.example', 'cl1ent.example')),
    ],
    isProven: true,
  },
}

/** Accounts of the test. Whom an address belongs to depends on the ticket. */
const PEOPLE: Record<string, { of42: EmailFacts['who']; otherwise: EmailFacts['who'] }> = {
  'erika@client.example': { of42: 'participant', otherwise: 'contact' },
  'carl@client.example': { of42: 'contact', otherwise: 'contact' },
  'stranger@client.example': { of42: 'unknown', otherwise: 'unknown' },
  'monitor@client.example': { of42: 'unknown', otherwise: 'unknown' },
}

const KINDS: Record<string, string[]> = {
  person: [],
  automatic: ['Auto-Submitted: auto-generated'],
  bounce: ['X-Failed-Recipients: dead@client.example'],
}

/** As the wiring does it, with `PEOPLE` instead of the database. */
async function decide(fields: string[], { isOverTicketLimit = false } = {}) {
  const email = await readEmail(rawEmail(fields, 'Hello'), { authserv: AUTHSERV })
  const ticket = tokens.ticketOf(email)
  const person = PEOPLE[email.from?.address ?? '']
  return chooseDestination({
    isOwn: isOwnEmail(email, { tokens, addresses: [desk] }),
    kind: email.kind,
    hasTicket: ticket === 42,
    hasSentEmail:
      email.recipients.some((one) => tokens.emailOfReturnPath(one) === SENT_ID) ||
      (email.bounce?.returnedIds ?? []).some((id) => tokens.emailOfMessageId(id) !== null),
    isProven: email.isProven,
    who: (ticket === 42 ? person?.of42 : person?.otherwise) ?? 'unknown',
    isAlertSender: email.from?.address === 'monitor@client.example',
    isOverTicketLimit,
  })
}

/** The table of the issue once more, from the words of an email alone. */
function expected(cell: { mac: string; sender: string; address: string; kind: string }) {
  const [name] = cell.address.split('@')
  const isReally = cell.sender === 'proven'
  if (cell.mac === 'right') {
    if (cell.kind !== 'person') return 'ticket-line'
    return isReally && name === 'erika' ? 'message' : 'held sender'
  }
  if (cell.kind === 'bounce') return 'held automatic'
  if (isReally && name === 'monitor') return 'alert-ticket'
  if (cell.kind === 'automatic') return 'held automatic'
  if (isReally) return name === 'stranger' ? 'ticket proven-address yes' : 'ticket contact yes'
  return cell.sender === 'of a look-alike domain'
    ? 'ticket proven-address yes'
    : 'ticket unproven-address no'
}

const inWords = (decided: Awaited<ReturnType<typeof decide>>) => {
  if (decided.to === 'held') return `held ${decided.because}`
  if (decided.to === 'ticket')
    return `ticket ${decided.of} ${decided.isAcknowledged ? 'yes' : 'no'}`
  return decided.to
}

const cells = Object.keys(MACS).flatMap((mac) =>
  Object.keys(SENDERS).flatMap((sender) =>
    Object.keys(PEOPLE).flatMap((address) =>
      Object.keys(KINDS).map((kind) => ({ mac, sender, address, kind })),
    ),
  ),
)

describe('where an email goes', () => {
  test(`each of ${cells.length} emails goes where the table says`, async () => {
    expect(cells).toHaveLength(384)
    const wrong = await Promise.all(
      cells.map(async (cell) => {
        const fields = [
          ...(SENDERS[cell.sender]?.fields(cell.address) ?? []),
          `To: ${MACS[cell.mac as keyof typeof MACS]}`,
          ...(KINDS[cell.kind] ?? []),
        ]
        const [is, shall] = [inWords(await decide(fields)), expected(cell)]
        return is === shall ? [] : [`${Object.values(cell).join(', ')}: ${is}, not ${shall}`]
      }),
    )
    expect(wrong.flat()).toEqual([])
  })

  test('a mac in In-Reply-To or References counts as one in the address', async () => {
    const sender = SENDERS['proven']?.fields('erika@client.example') ?? []
    for (const name of ['In-Reply-To', 'References'])
      expect(
        await decide([...sender, `To: ${desk}`, `${name}: ${tokens.messageId(SENT_ID, 42)}`]),
      ).toEqual({ to: 'message' })
  })
})

describe('bounces', () => {
  const bounce = ['From: MAILER-DAEMON@client.example', 'X-Failed-Recipients: erika@client.example']

  test('a bounce to our return path is of the email we sent', async () => {
    expect(await decide([...bounce, `To: ${tokens.returnPath(SENT_ID)}`])).toEqual({
      to: 'sent-email',
    })
  })

  test('a bounce to an altered return path changes nothing', async () => {
    const forged = (tokens.returnPath(SENT_ID) ?? '').replace('+b.', '+b.a').replace(/.(?=\.)/, '')
    expect(await decide([...bounce, `To: ${forged}`])).toEqual({ to: 'held', because: 'automatic' })
  })

  test('a person who writes to a return path is no bounce', async () => {
    const sender = SENDERS['proven']?.fields('erika@client.example') ?? []
    expect(await decide([...sender, `To: ${tokens.returnPath(SENT_ID)}`])).toMatchObject({
      to: 'ticket',
    })
  })
})

describe('loops and floods', () => {
  test.each([
    [
      'its Message-ID',
      [from('erika@client.example'), `Message-ID: ${tokens.messageId(SENT_ID, 42)}`],
    ],
    ['the desk as sender', [from(desk)]],
    ['the desk as sender, with a tag', [from('Desk+x@desk.example')]],
  ])('an email of ours is dropped by %s', async (_, fields) => {
    expect(await decide([...fields, `To: ${rightMac}`])).toEqual({ to: 'nowhere' })
  })

  test.each(['erika@client.example', 'monitor@client.example'])(
    'beyond the limit of tickets an email of %s is held',
    async (address) => {
      const sender = SENDERS['proven']?.fields(address) ?? []
      expect(await decide([...sender, `To: ${desk}`], { isOverTicketLimit: true })).toEqual({
        to: 'held',
        because: 'limit',
      })
    },
  )

  test('beyond the limit of tickets an answer is still a message', async () => {
    const sender = SENDERS['proven']?.fields('erika@client.example') ?? []
    expect(await decide([...sender, `To: ${rightMac}`], { isOverTicketLimit: true })).toEqual({
      to: 'message',
    })
  })
})

describe('alerts', () => {
  const alert = {
    sender: 'monitor@client.example',
    subject: 'Disk full on web-1',
    receivedAt: new Date('2026-11-20T10:05:00Z'),
  }

  test('an alert has one key for its sender, subject and hour', () => {
    const key = alertKeyOf(alert)
    const again = { ...alert, receivedAt: new Date('2026-11-20T10:59:59Z') }
    expect(alertKeyOf(again)).toBe(key)
    expect(alertKeyOf({ ...again, subject: ' Disk  full on web-1 ' })).toBe(key)
    for (const other of [
      { subject: 'Disk full on web-2' },
      { sender: 'backup@client.example' },
      { receivedAt: new Date('2026-11-20T11:00:00Z') },
    ])
      expect(alertKeyOf({ ...alert, ...other })).not.toBe(key)
  })
})
