import { readFileSync, writeFileSync } from 'node:fs'

/** The realm for real people, into the file that is named: that of the stack without its accounts and its mail catcher. */
const [, , file] = process.argv
if (!file) throw new Error('Usage: node scripts/realm-write.ts FILE')

type Realm = { users: { credentials?: unknown }[] } & Record<string, unknown>
const source = new URL('../ops/keycloak/gatehouse-realm.json', import.meta.url)
const { smtpServer: _mailCatcher, ...realm } = JSON.parse(readFileSync(source, 'utf8')) as Realm
// What has no password is the account a client acts with.
const users = realm.users.filter(({ credentials }) => !credentials)
writeFileSync(file, JSON.stringify({ ...realm, users }, null, 2))
