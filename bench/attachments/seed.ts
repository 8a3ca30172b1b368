import type pg from 'pg'

export const FILES = 10_000_000
const BATCH = 500_000

/** Has 1,000 staged files, a tenth of all. */
export const BUSY = '00000000-0000-4000-8000-000000000001'

/** Of the ten million, one in a thousand is staged, one in a hundred removed, five of each thousand long enough to be swept. */
const ROWS = `insert into files (id, owner_ref, name, type, size, sha256, stage, verdict, model, record_id, field, changed_at)
  select ('0190' || lpad(to_hex(n), 8, '0') || '7000' || '8000' || substr(md5(n::text), 1, 12))::uuid,
    case when kind = 'staged' and n % 10 = 0 then '${BUSY}'
      else '00000000-0000-4000-8000-' || lpad(to_hex(2 + n % 5000), 12, '0') end::uuid,
    'screenshot-' || n || '.png', 'image/png', 100000, md5(n::text), kind, 'clean',
    case when kind <> 'staged' then 'tickets' end,
    case when kind <> 'staged' then md5('ticket' || n / 5)::uuid end,
    case when kind <> 'staged' then 'attachments' end,
    case when kind = 'staged' then now() when n % 200 = 7 then now() - interval '60 days' else now() - interval '3 days' end
  from generate_series($1::int, $2::int) n
    cross join lateral (select case when n % 1000 = 1 then 'staged' when n % 100 = 7 then 'removed' else 'attached' end as kind) k`

export async function seedFiles(client: pg.Client) {
  for (let from = 1; from <= FILES; from += BATCH)
    await client.query(ROWS, [from, from + BATCH - 1])
  await client.query('vacuum analyze')
}
