// The door for a site's behaviours. What is exported here is promised as the API is: docs/decisions/36-site-folder.md
export { sql } from 'drizzle-orm'
export { defineBehaviour, extendBehaviour } from '#engine/behaviour.ts'
export { recordIn } from '#engine/mail-record.ts'
export { conflict, invalidRecord } from '#platform/errors.ts'
export { paragraphs, type Mail } from '#platform/outbox.ts'
