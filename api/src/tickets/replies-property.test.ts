import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildClients, type Client } from '../../test/clients.ts'
import { startTest, type Test } from '../../test/kit.ts'
import { cast, type Cast } from '../../test/replies-cast.ts'
import { buildPlayer, KINDS, type Command } from '../../test/replies-play.ts'

const SEQUENCES = 300
/** Sequences run concurrently, to keep API and database busy. */
const AT_ONCE = 6
/** REPLIES_SEED reproduces a failure. */
const SEED = Number(process.env['REPLIES_SEED'] ?? Date.now() % 2 ** 31)

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom(...KINDS),
  pick: fc.nat({ max: 11 }),
  isTyped: fc.boolean(),
})
const opening = fc.record({ pick: fc.nat({ max: 11 }), isTyped: fc.boolean() })
const sequence = fc.record({
  opening,
  commands: fc.array(command, { minLength: 5, maxLength: 9 }),
})
let t: Test
let manager: Client
let organisations: (string | null)[]
let people: Cast[]
beforeAll(async () => {
  t = await startTest()
  const c = buildClients(t)
  const managed = await c.organisation('Managed')
  organisations = [managed, await c.organisation('Unmanaged'), null]
  manager = await c.approved({ organisation: managed, portalRole: 'manager' })
  people = await cast(t, organisations, SEQUENCES)
})
afterAll(() => t.stop())

test(
  `in ${SEQUENCES} random sequences every reply reaches exactly the readers of the ticket, or is rejected`,
  { timeout: 300_000 },
  async () => {
    const started = performance.now()
    const counts = new Map<string, number>()
    const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
    const play = buildPlayer({ t, manager, organisations, count })
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(sequence, { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (several) => {
          const playing = people.slice(run, run + AT_ONCE)
          await Promise.all(
            several.flatMap((one, place) => {
              const own = playing[place]
              return own ? [play(one, own, run + place)] : []
            }),
          )
          run += AT_ONCE
        },
      ),
      { seed: SEED, numRuns: SEQUENCES / AT_ONCE, endOnFailure: true },
    )
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const outcomes = [...counts].map(([what, n]) => `${what} ×${n}`).toSorted()
    console.log(`seed ${SEED}, ${run} sequences, ${seconds} s: ${outcomes.join(', ')}`)
    for (const what of OUTCOMES) expect(counts.get(what) ?? 0, what).toBeGreaterThan(2)
  },
)

/** The run fails unless each outcome occurs. */
const OUTCOMES = [
  'reply mailed',
  'reply unmailed',
  'reply refused',
  'undo 200',
  'undo 409',
  'restore 200',
  'approve 200',
  'decline 200',
  'handOver 422',
  'organisation 422',
]
