import type { MailTexts, SiteConfig } from '@gatehouse/model'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/db.ts'
import type { Mails } from '#platform/mail/outbox.ts'
import type { Directory } from '#platform/identity/directory.ts'
import type { Mailer } from '#platform/mail/mailer.ts'

export type Logger = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

/** What jobs work with. */
export type JobContext = {
  db: Db
  mailer: Mailer | null
  /** Every kind of mail there is. */
  mails: Mails
  /** What they say, in the words of the site. */
  texts: MailTexts
  /** Models with expired records in the trash, and how to empty it. */
  trash: { due: () => Promise<string[]>; empty: (path: string, logger: Logger) => Promise<void> }
  /** Models with revisions that lack ownership, and the backfill. */
  ownershipBackfill: { due: () => Promise<string[]>; backfill: (path: string) => Promise<void> }
  /** The night's comparison of revisions and audit rows, by day. */
  historyCheck: { due: () => Promise<string[]>; check: (day: string) => Promise<void> }
  /** Own tables with expired rows, and how to sweep one. */
  rowExpiry: { due: () => Promise<string[]>; expire: (table: string) => Promise<void> }
  /** Accounts whose level as staff our records don't know, and how to note it. */
  staffSync?: { due: () => Promise<string[]>; syncAccount: (sub: string) => Promise<void> }
  /** Moves the last contact of organisations forward to that of their tickets. */
  updateLastContacts?: () => Promise<unknown>
  /** Tickets of older releases whose owner is known by now, and giving them to that owner. */
  assigning?: { due: () => Promise<string[]>; assign: (ticketId: string) => Promise<void> }
  /** Accounts at the identity provider; null without an account of ours there. */
  directory?: Directory | null
  /** What is to be told of security events, and telling it. */
  alerts?: { due: () => Promise<string[]>; sendAlert: (subject: string) => Promise<void> }
  config: SiteConfig
  logger: Logger
}

/** A failed attempt. The queue stores the code, never an error's text, which may quote values. */
type Retry = { code: string; pauseSeconds: number }

/** Work that waits in one of our tables. The queue gets row ids only, because queued data lingers. */
export type Job = {
  name: string
  /** Where PostgreSQL notifies of new rows. */
  channel?: string
  /** How often rows are looked for without a notification. */
  pollMs: number
  /** Retries after an error or a killed worker. */
  retryLimit: number
  /** Ids of the rows to queue. Every replica polls; the queue deduplicates. */
  find: (tools: JobContext) => Promise<string[]>
  /** Does it for one row. May run twice, so it must be idempotent. */
  run: (id: string, tools: JobContext) => Promise<Retry | void>
}
