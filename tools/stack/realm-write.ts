import { readFileSync, writeFileSync } from 'node:fs'

/**
 * The realm for real people, into the file that is named: that of the stack without its accounts and its mail catcher. What
 * it leaves open (`${SITE_URL}`) Keycloak fills in when it reads the file as it starts; for its console it comes from this
 * command's own environment.
 */
const [, , file] = process.argv
if (!file) throw new Error('Usage: SITE_URL=https://mine.ie npm run realm -- FILE')

type Realm = Record<string, unknown>
const source = new URL('../../ops/keycloak/gatehouse-realm.json', import.meta.url)
const {
  smtpServer: _mailCatcher,
  users: _accounts,
  ...realm
} = JSON.parse(readFileSync(source, 'utf8')) as Realm
const text = JSON.stringify(realm, null, 2).replaceAll(
  /\$\{(\w+)\}/g,
  (open, name: string) => process.env[name] ?? open,
)
writeFileSync(file, `${text}\n`)
const left = [...new Set(text.match(/\$\{\w+\}/g))]
console.log(
  left.length === 0
    ? `${file} is complete.`
    : `${file} leaves open: ${left.join(', ')}. Keycloak fills them in from its environment with --import-realm; for its console set them here.`,
)
