import type pg from 'pg'
import type { Person } from '../../ops/drills/kit/key-server.ts'

/** Where in which list: the share of it that lies before the cursor. */
type Place = { path: string; sort: string; person: Person; depth: number }

/** A cursor as the API makes them, at this depth of a list, and how many records come after it. */
export async function cursorAt(client: pg.Client, place: Place) {
  const { path, sort } = place
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const column = snakeCase(sort.replace('-', ''))
  const where = visibleTo(place)
  const before = Math.floor((await countOf(client, place)) * place.depth)
  const keys = column === 'id' ? ['id'] : [column, 'id']
  const { rows } = await client.query<{ id: string; value: unknown }>(
    `select id, to_json(${column}) as value from (select ${keys.join()} from ${snakeCase(path)} where ${where}
       order by ${keys.map((key) => `${key} ${direction}`).join()} offset ${before} limit 1) one`,
  )
  const value = column === 'id' ? null : rows[0]?.value
  return Buffer.from(JSON.stringify([sort, value, rows[0]?.id])).toString('base64url')
}

export async function countOf(client: pg.Client, place: Pick<Place, 'path' | 'person'>) {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${snakeCase(place.path)} where ${visibleTo(place)}`,
  )
  return rows[0]?.count ?? 0
}

const snakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function visibleTo({ person }: Pick<Place, 'person'>) {
  return person.role === 'admin'
    ? 'deleted_at is null'
    : `deleted_at is null and restricted_at is null and (client_id = '${person.sub}' or organisation =
        (select organisation from contacts where user_sub = '${person.sub}' and portal_role = 'manager'))`
}
