import type { DrillEnvironment } from './kit/drill-environment.ts'

export async function checkTables(
  { ask }: Pick<DrillEnvironment, 'ask'>,
  expected: { creates: number; updates: number },
): Promise<string[]> {
  const { creates, updates } = expected
  const counts: [string, number][] = [
    [`select count(*) from tickets`, creates + updates],
    [`select count(distinct subject) from tickets where subject like 'create %'`, creates],
    [`select count(distinct subject) from tickets where subject like 'update %'`, updates],
    [`select count(*) from tickets where version = 2`, updates],
    [`select count(*) from idempotency_keys`, creates + updates],
    [
      `select count(*) from revisions where model = 'tickets' and action = 'create'`,
      creates + updates,
    ],
    [`select count(*) from revisions where model = 'tickets' and action = 'update'`, updates],
    [
      `select count(*) from audit_events where entity = 'tickets' and action = 'create'`,
      creates + updates,
    ],
    [`select count(*) from audit_events where entity = 'tickets' and action = 'update'`, updates],
    [
      `select count(*) from tickets t where version <> (select count(*) from revisions where record_id = t.id)`,
      0,
    ],
    [
      `select count(*) from tickets t where version <> (select count(*) from audit_events where entity_id = t.id)`,
      0,
    ],
    [
      `select count(*) from revisions r where model = 'tickets' and not exists (select from tickets where id = r.record_id)`,
      0,
    ],
    [
      `select count(*) from audit_events a where entity = 'tickets' and not exists (select from tickets where id = a.entity_id)`,
      0,
    ],
  ]
  const problems: string[] = []
  for (const [sql, wanted] of counts) {
    const found = Number((await ask(sql))[0]?.['count'])
    if (found !== wanted) problems.push(`${sql}: ${found} instead of ${wanted}`)
  }
  return problems
}

export async function storedOf({ ask }: DrillEnvironment, names: string[]) {
  const [row] = await ask('select count(*) from tickets where subject = any($1)', [names])
  return Number(row?.['count'])
}
