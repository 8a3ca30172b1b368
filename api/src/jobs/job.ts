import type { MailTexts, SiteConfig } from '@gatehouse/model'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/db.ts'
import type { Mails } from '#engine/mail-kind.ts'
import type { RecordReader } from '#engine/records.ts'
import type { Files } from '#platform/files/open-files.ts'
import type { Directory } from '#platform/identity/directory.ts'
import type { Mailer } from '#platform/mail/mailer.ts'

export type Logger = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

export type JobContext = {
  db: Db
  recordReader: RecordReader
  mailer: Mailer | null
  mails: Mails
  texts: MailTexts
  trash: { due: () => Promise<string[]>; empty: (path: string, logger: Logger) => Promise<void> }
  ownershipBackfill: { due: () => Promise<string[]>; backfill: (path: string) => Promise<void> }
  historyCheck: { due: () => Promise<string[]>; check: (day: string) => Promise<void> }
  rowExpiry: { due: () => Promise<string[]>; expire: (table: string) => Promise<void> }
  /** Absent if the installation stores none. */
  files?: Pick<Files, 'sweep' | 'sweepStrays' | 'recheck' | 'previews'>
  staffSync?: { due: () => Promise<string[]>; syncAccount: (sub: string) => Promise<void> }
  updateLastContacts?: () => Promise<unknown>
  /** Tickets of older releases whose owner now has an account, and how to assign them. */
  assigning?: { due: () => Promise<string[]>; assign: (ticketId: string) => Promise<void> }
  /** Accounts at the identity provider; null without a service account. */
  directory?: Directory | null
  alerts?: { due: () => Promise<string[]>; sendAlert: (subject: string) => Promise<void> }
  config: SiteConfig
  logger: Logger
}

/** A failed attempt. The queue stores the code, never an error's message, which may quote values. */
type Retry = { code: string; pauseSeconds: number }

/** Work stored in one of our tables. The queue gets row IDs only, because it retains its data. */
export type Job = {
  name: string
  /** NOTIFY channel for new rows. */
  channel?: string
  /** Registers `wake` for rows that this process writes itself: costs neither a notification nor a connection. */
  onLocalChange?: (tools: JobContext, wake: () => void) => void
  /** Poll interval, for rows without a notification. */
  pollMs: number
  /** Retries after an error or a killed worker. */
  retryLimit: number
  /** IDs of the rows to queue. Every replica polls; the queue deduplicates. */
  find: (tools: JobContext) => Promise<string[]>
  /** Processes one row. May run twice, so it must be idempotent. */
  run: (id: string, tools: JobContext) => Promise<Retry | void>
}
