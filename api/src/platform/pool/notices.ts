import type pg from 'pg'

/** Connections that reported a commit which no standby has confirmed. */
const unconfirmed = new WeakSet<pg.ClientBase>()

/**
 * PostgreSQL reports such a commit as a success with a warning. The code is that of any warning, also of one that a function
 * raises: only what gave it tells.
 */
export function hearNotices(client: pg.ClientBase) {
  client.on('notice', ({ code, routine }) => {
    if (code === '01000' && routine === 'SyncRepWaitForLSN') unconfirmed.add(client)
  })
}

/** Asked once after each statement: the next one on the connection starts without it. */
export const isUnconfirmed = (client: pg.ClientBase) => unconfirmed.delete(client)
