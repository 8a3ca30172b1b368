import type pg from 'pg'
import type { Person } from '../ops/drills/kit/key-server.ts'

type Place = { person: Person; /** Share of the list before the cursor. */ depth: number }

/** Rewrites a cursor of the API to point elsewhere. */
export async function cursorAt(client: pg.Client, cursor: string, { person, depth }: Place) {
  const [key, value] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
  const visible = visibleTo(person)
  const { rows } = await client.query<{ id: string }>(
    `select id from tickets where ${visible} order by id desc
     offset (select floor(count(*) * ${depth}) from tickets where ${visible}) limit 1`,
  )
  return Buffer.from(JSON.stringify([key, value, rows[0]?.id])).toString('base64url')
}

/** A cursor at this depth of a sorted list, with a full page after it. */
export async function sortedCursorAt(client: pg.Client, sort: string, { person, depth }: Place) {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const column = sort.replace('-', '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const visible = visibleTo(person)
  const { rows } = await client.query<{ id: string; value: unknown }>(
    `select id, to_json(${column}) as value from tickets where ${visible} order by ${column} ${direction}, id ${direction}
     offset (select floor(count(*) * ${depth}) from tickets where ${visible}) limit 1`,
  )
  return Buffer.from(JSON.stringify([sort, rows[0]?.value, rows[0]?.id])).toString('base64url')
}

function visibleTo(person: Person) {
  return person.role === 'admin'
    ? 'deleted_at is null'
    : `deleted_at is null and restricted_at is null and (client_id = '${person.sub}' or organisation =
        (select organisation from contacts where user_sub = '${person.sub}' and portal_role = 'manager'))`
}
