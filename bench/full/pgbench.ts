import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { STATEMENTS } from '../bare-fastify/statements.ts'
import { CALLERS_PER_ROLE } from '../compare/callers.ts'
import { treeCpuMs } from '../compare/process-stats.ts'
import type { BenchEnvironment } from '../compare/bench-environment.ts'

const SECONDS = 3
const ENDED_MS = 300

/** A time-ordered id, like bare Fastify's. */
const NEW_ID = `(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
  || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`

/** CPU milliseconds of PostgreSQL alone for bare Fastify's statements, sent by pgbench. */
export async function measurePgbench({ postgres, client, env }: BenchEnvironment) {
  const ids = async (table: string) =>
    (
      await client.query<{ id: string }>(
        `select id from ${table} where deleted_at is null order by md5(id::text) limit ${CALLERS_PER_ROLE}`,
      )
    ).rows.map(({ id }) => `'${id}'::uuid`)
  const organisations = await ids('organisations')
  const statements: Record<string, string[]> = {
    'list, admin': [STATEMENTS.adminList],
    'ticket, read again': (await ids('tickets')).map((id) => STATEMENTS.ticket.replace('$1', id)),
    asset: (await ids('assets')).map((id) => STATEMENTS.asset.replace('$1', id)),
    'create asset': organisations.map((organisation) =>
      STATEMENTS.assetNew.replace(
        '$1, $2, $3, $4, $5, $6',
        `${NEW_ID}, 'host', 'Laptop', ${organisation}, 'Debian 12', 'SN'`,
      ),
    ),
  }
  const found = new Map<string, number>()
  for (const [name, texts] of Object.entries(statements)) {
    const before = treeCpuMs(postgres.pid)
    const count = await runPgbench(env['DATABASE_URL'] ?? '', texts)
    // Its backends exit shortly after pgbench.
    await setTimeout(ENDED_MS)
    found.set(name, (treeCpuMs(postgres.pid) - before) / count)
  }
  return found
}

async function runPgbench(url: string, texts: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pgbench-'))
  try {
    const files = texts.flatMap((text, n) => {
      const file = join(folder, `${n}.sql`)
      writeFileSync(file, `${text.replaceAll(/\s+/g, ' ')};\n`)
      return ['-f', file]
    })
    const options = ['-n', '-M', 'prepared', '-c', '8', '-j', '1', '-T', String(SECONDS)]
    const { stdout } = await promisify(execFile)('pgbench', [...options, ...files, url])
    return Number(/actually processed: (\d+)/.exec(stdout)?.[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
