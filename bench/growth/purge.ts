import { models } from '@gatehouse/model/models'
import { buildEngine } from '../../api/src/engine/engine.ts'
import { buildTrashPurger } from '../../api/src/engine/operations/purge-expired.ts'
import { connectDb, type Db, type Runner } from '../../api/src/platform/db.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import { plansOf } from '../plans.ts'
import type { Found } from './verdict.ts'
import type { SizedDatabase } from './sized-database.ts'
import { DATABASE } from './sizes.ts'

const RUN_MS = 1_500
const SITE = new URL('../../sample/site.json', import.meta.url).pathname

/** The job that empties the trash, on expired tickets; each run is rolled back, so that the cached database doesn't change. */
export async function measurePurge({ postgres, client, directory }: SizedDatabase): Promise<Found> {
  const db = connectDb(postgres.url('gatehouse_app', DATABASE), { max: 1 })
  try {
    const { site } = readConfig(SITE)
    const counted = { records: 0 }
    const undone = undoing(db, counted)
    const engine = buildEngine({ db: undone, site, models, desk: { email: '', alertEmail: '' } })
    const trash = buildTrashPurger(engine, { runMaxMs: RUN_MS })
    const rejected: unknown[] = []
    let ms = 0
    const plans = await plansOf({ directory, client }, async () => {
      const started = performance.now()
      if (!(await trash.due()).includes('tickets'))
        throw new Error('no ticket in the trash has expired')
      await trash.empty('tickets', { warn: (facts: unknown) => void rejected.push(facts) })
      ms = performance.now() - started
    })
    const buffers = plans.reduce((all, plan) => all + plan.buffers, 0) / counted.records
    const what = 'empty the trash, a ticket'
    return {
      what,
      group: what,
      buffers: Math.round(buffers),
      ms: ms / counted.records,
      ...(rejected.length > 0 ? { fault: `${rejected.length} rejected` } : {}),
    }
  } finally {
    await db.close()
  }
}

function undoing(db: Db, counted: { records: number }): Db {
  return {
    ...db,
    transaction: async <T>(run: (tx: Runner) => Promise<T>) => {
      let done: { result: T } | undefined
      await db
        .transaction(async (tx) => {
          done = { result: await run(tx) }
          throw new Error('undone')
        })
        .catch((error: unknown) => {
          if (!done) throw error
        })
      counted.records++
      if (!done) throw new Error('the transaction did not run')
      return done.result
    },
  }
}
