import type { SiteConfig } from '@gatehouse/model'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#db.ts'
import type { Mailer } from '#mail.ts'
import { emptyTrash } from './empty-trash.ts'
import { forgetViews } from './forget-views.ts'
import { sendMail } from './send-mail.ts'
import { settleRevisions } from './settle-revisions.ts'

/** What jobs work with. */
export type Tools = {
  db: Db
  mailer: Mailer | null
  /** The models with something that has been in the trash too long, and how one is rid of it. */
  trash: { due: () => Promise<string[]>; empty: (path: string, logger: Logger) => Promise<void> }
  /** The models with versions of which it is not known whose they were, and how it is worked out. */
  settling: { due: () => Promise<string[]>; settle: (path: string) => Promise<void> }
  config: SiteConfig
  logger: Logger
}

type Logger = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

/**
 * A piece of work that waits in a table of ours. The queue is told only which row: what is in a queue lingers there, so
 * nothing personal may be in it.
 */
export type Job = {
  name: string
  /** The ids of the rows that are due; asked every second or so, by every replica. */
  find: (tools: Tools) => Promise<string[]>
  /** Does it for one row. May be asked twice: it must then do no harm. */
  run: (id: string, tools: Tools) => Promise<void>
}

export const JOBS: Job[] = [sendMail, emptyTrash, forgetViews, settleRevisions]
