import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONFIG, NO_LIMITS, startTest, tokenSettings, type Test } from '../../test/kit.ts'
import { filesOf, MUTANTS } from '../../test/mutants.ts'
import { WORLD_MODELS } from '../../test/scope-world.ts'
import { playTimes, prepareTimes, type Setting } from '../../test/time-worlds.ts'
import type * as App from '../app.ts'
import { buildVerifier } from '../auth.ts'
import { sendMail } from '../jobs/send-mail.ts'
import type * as Jobs from '../jobs/send-mail.ts'
import { readVersions } from '../privacy/versions.ts'

/** Fixed: a mutant that is found is found again. */
const SEED = 20_260_115
const RUNS_MAX = 100
/** Most are found at once; on a busy machine the rarest takes its time. */
const PATIENCE_MS = 180_000

let t: Test
let setting: Setting
let verifier: ReturnType<typeof buildVerifier>
beforeAll(async () => {
  t = await startTest({ models: WORLD_MODELS })
  verifier = buildVerifier(tokenSettings(t.keys.jwksUri))
  setting = await prepareTimes({ ...t, mailJob: sendMail })
})
afterAll(async () => {
  verifier.close()
  await t.stop()
})

test('the worlds find nothing where nothing was taken away', async () => {
  await expect(play(MUTANTS.length, 8)).resolves.toBeDefined()
})

test.each(MUTANTS.map((mutant, place) => [mutant.in, mutant.from, mutant, place] as const))(
  '%s without «%s» is found by the worlds that change over time',
  async (_name, _from, mutant, place) => {
    expect(filesOf(mutant), 'the place is where the mutant says').toHaveLength(1)
    await expect(play(place, RUNS_MAX)).rejects.toThrow(/^Property failed/)
  },
  PATIENCE_MS,
)

/** Plays on an API with this mutant in it. */
async function play(place: number, runs: number) {
  const { buildApp }: typeof App = await load('app.ts', place)
  const { sendMail: mailJob }: typeof Jobs = await load('jobs/send-mail.ts', place)
  const { app, trash, settling } = await buildApp({
    models: WORLD_MODELS,
    db: t.db,
    config: CONFIG,
    versions: readVersions(),
    verifier,
    limits: NO_LIMITS,
  })
  try {
    const api = { app, db: t.db, tokenOf: t.tokenOf, trash, settling, mailJob }
    return await playTimes(api, setting, { seed: SEED, runs })
  } finally {
    await app.close()
  }
}

const load = (file: string, place: number) =>
  import(/* @vite-ignore */ `${new URL('..', import.meta.url).pathname}${file}?mutant=${place}`)
