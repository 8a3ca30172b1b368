import fc from 'fast-check'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Job } from '../src/jobs/job.ts'
import { ADMIN, type Test } from './kit.ts'
import { withMoves } from './moves.ts'
import { FIXTURE_MODELS } from './scope-fixture.ts'
import { happens, oneOf, type Draw } from './scope-random.ts'
import {
  buildTimeOracle,
  type StoredVersion,
  type Links,
  type Reader,
  type State,
  type Version,
} from './time-oracle.ts'

/** The parts of an API a scenario uses, including one with mutated code. */
export type Api = Pick<
  Test,
  | 'app'
  | 'db'
  | 'tokenOf'
  | 'trash'
  | 'ownershipBackfill'
  | 'historyCheck'
  | 'rowExpiry'
  | 'jobContext'
> & {
  mailJob: Job
}

const COMMANDS_MAX = 24
const user = (name: string) => ({ sub: `sub-${name}`, name, role: 'user' as const })
/** The only user whose account has an address. */
const ANN = { ...user('ann'), email: 'ann@example.test', emailVerified: true }
const BEN = user('ben')
const VIC = user('vic')
const MAX = user('max')
const MIA = user('mia')
/** Ann with her temporary admin role: she may undo and replay her own operations in either role. */
const ANN_THEN = { ...ANN, role: 'admin' as const }
const PEOPLE = [ANN, ANN, ANN, ANN, BEN, VIC, VIC, MAX, MAX, MIA, ADMIN]
const OWNERS = [ANN.sub, ANN.sub, ANN.sub, BEN.sub, VIC.sub, null]
const ADDRESSES = ['one@example.test', 'two@example.test']
const TICKET = { fullName: 'Una', message: 'Very' }

const TEXT = { tickets: 'subject', pins: 'text', replies: 'body' } as const

type Live = {
  path: keyof typeof TEXT
  id: string
  kept: StoredVersion<Values>
  values: Values
  isRestricted: boolean
}

type Values = {
  text: string
  owner: string | null
  org: string | null
  email: string | null
  isInternal: boolean
  ticket: Live | null
}

type Person = Reader & { name: string | null }
type Setting = { orgs: string[] }

export async function prepareTimes(api: Api): Promise<Setting> {
  const orgs: string[] = []
  for (const name of ['One', 'Other']) {
    const made = await call(api, ADMIN, 'POST', '/api/organisations', { name })
    orgs.push(made.json.id)
  }
  const [one, other] = orgs
  for (const [{ sub, name }, organisation] of [
    [VIC, one],
    [MAX, one],
    [MIA, other],
  ] as const) {
    const contact = { fullName: name, email: `${name}@example.test`, organisation }
    const made = await call(api, ADMIN, 'POST', '/api/contacts', contact)
    await api.db.query(
      sql`update contacts set user_sub = ${sub}, portal_role = 'manager' where id = ${made.json.id}`,
    )
  }
  await call(api, ANN, 'GET', '/api/me')
  return { orgs }
}

/** Random callers × records that change owner and visibility × every endpoint that shows past states. */
export async function playTimes(
  api: Api,
  { orgs }: Setting,
  { seed, runs }: { seed: number; runs: number },
) {
  const counts = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.gen(), (draw) =>
      withMoves(FIXTURE_MODELS, 'replies', () =>
        playScenario({ api, orgs, draw: draw as Draw, counts }),
      ),
    ),
    { seed, numRuns: runs, endOnFailure: true },
  )
  return counts
}

type Playing = { api: Api; orgs: string[]; draw: Draw; counts: Map<string, number> }

async function playScenario({ api, orgs, draw, counts }: Playing) {
  const [one = '', other = ''] = orgs
  const links: Links = new Map([
    [VIC.sub, { org: one, role: 'viewer' }],
    [MAX.sub, { org: one, role: 'manager' }],
    [MIA.sub, { org: other, role: 'manager' }],
  ])
  const oracle = buildTimeOracle(links)
  const mails: {
    message: string
    recipient: string
    ticket: Live
    owner: string | null
    org: string | null
  }[] = []
  /** Tickets with a message, which is never deleted. */
  const answered = new Set<Live>()
  let words = 0
  const word = () => `word ${++words}`
  const organisation = () => oneOf(draw, [one, other, null])
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

  await setRole('viewer')
  const tickets = [await makeTicket(), await makeTicket()]
  const reply = await make(ADMIN, 'replies', {
    ticket: oneOf(draw, tickets),
    isInternal: happens(draw, 40),
  })
  const key = crypto.randomUUID()
  const pin = await make(oneOf(draw, [ANN, ANN_THEN]), 'pins', {}, key)
  const firstPin = { text: pin.values.text }
  const records = [...tickets, reply, reply, pin, pin, pin]
  const COMMANDS = [change, change, change, change, edit, edit, restrict, restrict, promote, answer]
  const QUESTIONS = [askHistory, askHistory, askUndo, askUndo, askRestore, askReplay]
  for (let place = 0; place < COMMANDS_MAX; place++)
    await oneOf(draw, happens(draw, 45) ? COMMANDS : QUESTIONS)()
  await checkMails()

  /** Mostly a caller who sees the record today, because the past is under test. */
  function asker(live: Live) {
    const seeing = PEOPLE.filter((who) => oracle.edit(who, live.kept, stateOf(live)) === 200)
    return oneOf(draw, happens(draw, 75) ? seeing : PEOPLE)
  }

  function makeTicket() {
    return make(ADMIN, 'tickets', { owner: oneOf(draw, OWNERS), org: organisation() })
  }

  async function make(who: Person, path: Live['path'], given: Partial<Values>, repeated?: string) {
    const values: Values = {
      text: word(),
      owner: path === 'pins' && who.role === 'user' ? who.sub : null,
      org: null,
      email: oneOf(draw, ADDRESSES),
      isInternal: false,
      ticket: null,
      ...given,
    }
    const kept: StoredVersion<Values> = {
      versions: [],
      shownTo: path === 'pins' ? 'viewer' : 'manager',
      isWritable: path !== 'tickets',
    }
    // A replay must be able to send the same body in either of Ann's roles.
    const body =
      path === 'pins'
        ? { text: values.text }
        : { ...toBody(path, values), ...(path === 'tickets' ? TICKET : {}) }
    const headers = repeated ? { 'idempotency-key': repeated } : {}
    const made = await call(api, who, 'POST', `/api/${path}`, body, headers)
    expect(made.status, made.text).toBe(201)
    const live: Live = { path, id: made.json.id, kept, values, isRestricted: false }
    note(live, who, made, { isTextNew: true, isHiddenNew: false })
    return live
  }

  function note(
    live: Live,
    who: Reader,
    answer: Answer,
    news: Pick<Version, 'isTextNew' | 'isHiddenNew'>,
  ) {
    const operation = String(answer.headers['operation-id'] ?? answer.json.operation)
    live.kept.versions.push({
      ...stateOf(live),
      ...news,
      actor: who.sub,
      operation,
      values: live.values,
    })
  }

  async function change(live = oneOf(draw, records)) {
    const who = oneOf(draw, [ADMIN, ANN_THEN, ANN_THEN])
    const before = live.values
    const wanted = {
      ...before,
      text: word(),
      ...(happens(draw, 60) ? { owner: oneOf(draw, OWNERS) } : {}),
      ...(happens(draw, 40) ? { org: organisation() } : {}),
      ...(happens(draw, 40) ? { email: oneOf(draw, ADDRESSES) } : {}),
      ...(live === reply && happens(draw, 40) ? { isInternal: !before.isInternal } : {}),
      ...(live === reply && happens(draw, 30) ? { ticket: oneOf(draw, tickets) } : {}),
    }
    const changed = await call(api, who, 'PUT', urlOf(live), toBody(live.path, wanted))
    const next = live.path === 'tickets' ? readdressed(before, wanted) : wanted
    expect(changed.status, changed.text).toBe(next ? 200 : 422)
    count(`change ${changed.status}`)
    if (!next) return
    live.values = next
    const isHiddenNew = before.isInternal !== live.values.isInternal
    note(live, who, changed, { isTextNew: true, isHiddenNew })
    if (happens(draw, 60)) await oneOf(draw, [askHistory, askUndo, askReplay])(live)
  }

  async function edit() {
    const live = oneOf(draw, [reply, pin])
    const who = asker(live)
    const expected = oracle.edit(who, live.kept, stateOf(live))
    const text = word()
    const changed = await call(api, who, 'PUT', urlOf(live), { [TEXT[live.path]]: text })
    expect(changed.status, changed.text).toBe(expected)
    if (expected !== 200) return
    live.values = { ...live.values, text }
    note(live, who, changed, { isTextNew: true, isHiddenNew: false })
  }

  /** Ends an existing restriction first: a restricted record shows little. */
  async function restrict() {
    const live = records.find(({ isRestricted }) => isRestricted) ?? oneOf(draw, records)
    live.isRestricted = !live.isRestricted
    const since = live.isRestricted ? sql`now()` : sql`null`
    await api.db.query(
      sql`update ${sql.identifier(live.path)} set restricted_at = ${since} where id = ${live.id}`,
    )
    // Changes made while restricted must stay hidden afterwards, for the ticket and its replies.
    if (live.isRestricted) await change(reply.values.ticket === live ? reply : live)
  }

  async function promote() {
    await setRole(links.get(VIC.sub)?.role === 'viewer' ? 'manager' : 'viewer')
  }

  async function setRole(role: 'viewer' | 'manager') {
    links.set(VIC.sub, { org: one, role })
    await api.db.query(sql`update contacts set portal_role = ${role} where user_sub = ${VIC.sub}`)
  }

  /** Staff reply: a mail is queued to the ticket's current address. */
  async function answer() {
    const ticket = oneOf(draw, tickets)
    const made = await call(api, ADMIN, 'POST', '/api/messages', {
      ticket: ticket.id,
      body: word(),
    })
    expect(made.status, made.text).toBe(201)
    answered.add(ticket)
    const { owner, org, email } = ticket.values
    if (email) mails.push({ message: made.json.id, recipient: email, ticket, owner, org })
    else count('mail to nobody')
    note(ticket, ADMIN, made, { isTextNew: false, isHiddenNew: false })
    // A queued mail must take this change into account.
    if (happens(draw, 50)) await change(ticket)
  }

  async function askHistory(live = oneOf(draw, records)) {
    const who = asker(live)
    const isNeeded = answered.has(live) || reply.values.ticket === live
    const expected = oracle.history(who, live.kept, { ...stateOf(live), isNeeded })
    const found = await call(api, who, 'GET', `${urlOf(live)}/history`)
    expect(found.status, found.text).toBe(expected ? 200 : 404)
    count(`history ${found.status}`)
    if (!expected) return
    if (expected.length < live.kept.versions.length) count('history with gaps')
    const items: Step[] = found.json.items
    expect(
      items.map(({ version, operation, changes }) => {
        const text = changes.find(({ field }) => field === TEXT[live.path])
        return { version, operation, text: text ? [text.before, text.after] : null }
      }),
    ).toEqual(expected)
  }

  async function askUndo(live = oneOf(draw, records)) {
    const who = asker(live)
    const { versions } = live.kept
    // Mostly the newest, the only one that can be undone.
    const version = happens(draw, 75)
      ? versions.length
      : 1 + draw(fc.nat, { max: versions.length - 1 })
    const step = versions[version - 1]
    const earlier = versions[version - 2]
    // The operation of a reply contains more than the ticket's step.
    if (!step || !earlier || (live.path === 'tickets' && !step.isTextNew)) return
    const expected = oracle.undo(who, live.kept, stateOf(live), version)
    const undone = await call(api, who, 'POST', `/api/operations/${step.operation}/undo`)
    expect(undone.status, undone.text).toBe(expected)
    count(`undo ${expected}`)
    if (expected !== 200) return
    const isHiddenNew = live.values.isInternal !== earlier.values.isInternal
    const isTextNew = live.values.text !== earlier.values.text
    live.values = earlier.values
    note(live, who, undone, { isTextNew, isHiddenNew })
  }

  async function askRestore() {
    const live = oneOf(draw, [reply, pin])
    const who = asker(live)
    const version = 1 + draw(fc.nat, { max: live.kept.versions.length })
    const expected = oracle.restore(who, live.kept, stateOf(live), version)
    const field = TEXT[live.path]
    const body = { version, fields: [field] }
    const restored = await call(api, who, 'POST', `${urlOf(live)}/restore`, body)
    const got = restored.status === 200 ? restored.json[field] : restored.status
    expect(got, restored.text).toBe(expected)
    count(`restore ${restored.status}`)
    if (typeof expected === 'number' || expected === live.values.text) return
    live.values = { ...live.values, text: expected }
    note(live, who, restored, { isTextNew: true, isHiddenNew: false })
  }

  async function askReplay() {
    const who = oneOf(draw, [ANN, ANN, ANN_THEN])
    const expected = oracle.replay(who, pin.kept, stateOf(pin))
    const again = await call(api, who, 'POST', '/api/pins', firstPin, { 'idempotency-key': key })
    expect(again.status === 201 ? again.json.text : again.status, again.text).toBe(expected)
    if (again.status === 201) expect(again.json.id).toBe(pin.id)
    count(`replay ${again.status}`)
  }

  /** A mail is sent only if the ticket still has the same address and owner. */
  async function checkMails() {
    for (const { message, recipient, ticket, owner, org } of mails) {
      const { values, isRestricted } = ticket
      const isTheirs = owner === null ? org === null || org === values.org : owner === values.owner
      const isSent = isTheirs && !isRestricted && values.email === recipient
      const [row] = await api.db.query(
        sql`select id from outbox where kind = 'ticket-answered' and data ->> 'messageId' = ${message}`,
      )
      const to: string[] = []
      const mailer = {
        send: async (mail: { to: string }) => void to.push(mail.to),
        close: () => {},
      }
      await api.mailJob.run(String(row?.['id']), {
        ...api.jobContext,
        mailer,
      })
      expect(to).toEqual(isSent ? [recipient] : [])
      count(`mail ${isSent ? 'sent' : 'kept back'}`)
    }
  }
}

/** A change of owner removes the former address, unless the same change sets one; null if there is no new address. */
function readdressed(before: Values, wanted: Values): Values | null {
  const isHandedOver =
    before.owner === null && wanted.owner === null
      ? before.org !== null && before.org !== wanted.org
      : before.owner !== wanted.owner
  if (!isHandedOver || before.email !== wanted.email) return wanted
  return wanted.owner === ANN.sub ? { ...wanted, email: ANN.email } : null
}

function stateOf({ values, isRestricted }: Live): State {
  const { text, owner, org, isInternal, ticket } = values
  const isOpen = !isInternal && !isRestricted && !ticket?.isRestricted
  return ticket
    ? { text, owner: ticket.values.owner, org: ticket.values.org, isOpen }
    : { text, owner, org, isOpen }
}

const urlOf = ({ path, id }: Live) => `/api/${path}/${id}`

const toBody = (path: Live['path'], { text, owner, org, email, isInternal, ticket }: Values) =>
  ({
    tickets: { subject: text, clientId: owner, organisation: org, ...(email && { email }) },
    pins: { text, owner, organisation: org },
    replies: { body: text, internal: isInternal, ticket: ticket?.id },
  })[path]

type Step = {
  version: number
  operation: string | null
  changes: { field: string; before: unknown; after: unknown }[]
}

type Answer = Awaited<ReturnType<typeof call>>

async function call(
  { app, tokenOf }: Api,
  who: Person,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const authorization = `Bearer ${await tokenOf(who)}`
  const answer = await app.inject({
    method,
    url,
    headers: { authorization, ...headers },
    ...(body ? { payload: body } : {}),
  })
  const { statusCode: status, body: text } = answer
  return {
    status,
    headers: answer.headers,
    text: `${method} ${url} ${who.name}: ${text}`,
    json: text ? JSON.parse(text) : null,
  }
}
