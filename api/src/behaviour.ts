// Public entry point for a site's behaviours. Its exports are as stable as the API: docs/decisions/36-site-folder.md
export { sql } from 'drizzle-orm'
export { defineBehaviour, extendBehaviour } from '#engine/behaviour.ts'
export { defineMail, type Mail, type MailContext } from '#engine/mail-kind.ts'
export { recordIn } from '#engine/mail-record.ts'
export { conflict, invalidRecord } from '#platform/errors.ts'
export { paragraphs } from '#platform/mail/outbox.ts'
