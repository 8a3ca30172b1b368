import type { MailTexts, SiteConfig } from '@gatehouse/model'
import type { SQL } from 'drizzle-orm'
import type { Runner } from '#platform/db.ts'
import type { ConfirmedForm, OutboxMail } from '#platform/mail/outbox.ts'
import type { RecordReader } from './records.ts'

/** What `facts` reads with, when the mail is sent: no permission checks. */
export type MailContext<Data extends object = object> = RecordReader & {
  mail: OutboxMail<Data>
  /** For raw SQL. */
  db: Runner
}

/** A kind of mail: its data, read from the records when sent, and its text. */
export type Mail<Data extends object = object, Facts = unknown> = {
  /** Null if the mail is outdated or no longer for this address. */
  facts(context: MailContext<Data>): Promise<Facts | null>
  text(facts: Facts, config: SiteConfig, texts: MailTexts): { subject: string; text: string }
  /** SQL: the record an outbox row (`o`) is about, as JSON; linked for admins if undeliverable. */
  about: SQL
  /** SQL: whether staff still have to act on it. Shown on the desk from the first failure. */
  isOpenAlert?: SQL
  /** The form it confirms. Limited per address, because a sender can enter any address. */
  confirms?: ConfirmedForm
}

/** Infers both types from `facts`, which takes a `MailContext` of the queued data. */
export const defineMail = <Data extends object, Facts>(mail: Mail<Data, Facts>) => mail

export type Mails = Readonly<Record<string, Mail>>

/** Data stored with a queued mail: IDs only, so that the outbox holds no personal data but the address. */
export type DataOf<M> = M extends Mail<infer Data> ? Data : never
