import type { SiteConfig } from '@gatehouse/model'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/db.ts'
import type { Mails } from '#platform/outbox.ts'
import type { Mailer } from '#platform/mailer.ts'

export type Logger = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

/** What jobs work with. */
export type Tools = {
  db: Db
  mailer: Mailer | null
  /** Every kind of mail there is. */
  mails: Mails
  /** The models with something that has been in the trash too long, and how one is rid of it. */
  trash: { due: () => Promise<string[]>; empty: (path: string, logger: Logger) => Promise<void> }
  /** The models with versions of which it is not known whose they were, and how it is worked out. */
  settling: { due: () => Promise<string[]>; settle: (path: string) => Promise<void> }
  config: SiteConfig
  logger: Logger
}

/** Not done this time. The queue stores the code, so it is never the text of an error: those quote values. */
type Retry = { code: string; pauseSeconds: number }

/** Work that waits in a table of ours. The queue knows only which row: what is in a queue lingers there. */
export type Job = {
  name: string
  /** Where PostgreSQL notifies of new rows. */
  channel?: string
  /** How often rows are looked for without a notification. */
  pollMs: number
  /** How often the queue starts it again after an error or a killed worker. */
  retryLimit: number
  /** The ids of the rows to be queued. Every replica asks; the queue takes each row once. */
  find: (tools: Tools) => Promise<string[]>
  /** Does it for one row. May run twice, so it must be idempotent. */
  run: (id: string, tools: Tools) => Promise<Retry | void>
}
