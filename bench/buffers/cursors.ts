import type pg from 'pg'
import type { Person } from '../../ops/drills/kit/key-server.ts'

type List = { path: string; person: Person }

/** A cursor like the API's, after this many records of a list. */
export async function cursorAt(
  client: pg.Client,
  { before, sort, ...list }: List & { sort: string; before: number },
) {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const column = snakeCase(sort.replace('-', ''))
  const keys = column === 'id' ? ['id'] : [column, 'id']
  const order = keys.map((key) => `${key} ${direction}`).join()
  const { rows } = await client.query<{ id: string; value: unknown }>(
    `select id, to_json(${column}) as value from (select ${keys.join()} from (${seen(list, keys)}) seen
       order by ${order} offset ${before} limit 1) one`,
  )
  const value = column === 'id' ? null : rows[0]?.value
  return Buffer.from(JSON.stringify([sort, value, rows[0]?.id])).toString('base64url')
}

export async function countOf(client: pg.Client, list: List) {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from (${seen(list, ['id'])}) seen`,
  )
  return rows[0]?.count ?? 0
}

const snakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Rows of a list visible to a caller. One branch per ownership rule, because each has its own index. */
function seen({ path, person }: List, keys: string[]) {
  const live = `select ${keys.join()} from ${snakeCase(path)} where deleted_at is null`
  return person.role === 'admin'
    ? live
    : `${live} and restricted_at is null and client_id = '${person.sub}' union
        ${live} and restricted_at is null and organisation =
          (select organisation from contacts where user_sub = '${person.sub}' and portal_role = 'manager')`
}
