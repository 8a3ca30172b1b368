import { SITE_FOLDER } from '../../api/src/platform/root.ts'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes the production realm: the stack's without its accounts and mail catcher. Variables such as `${SITE_URL}` are filled
 * from the environment here, or by Keycloak when it imports the file at start.
 */
const [, , file] = process.argv
if (!file) {
  console.error('Usage: SITE_URL=https://mine.example npm run stack -- realm FILE')
  process.exit(2)
}

type Realm = Record<string, unknown>
const source = new URL('../../ops/keycloak/gatehouse-realm.json', import.meta.url)
const {
  smtpServer: _mailCatcher,
  users: _accounts,
  ...realm
} = JSON.parse(readFileSync(source, 'utf8')) as Realm
const siteName = () =>
  (
    JSON.parse(readFileSync(new URL('site.json', SITE_FOLDER), 'utf8')) as {
      site: { name: string }
    }
  ).site.name
const text = JSON.stringify(realm, null, 2).replaceAll(
  /\$\{(\w+)\}/g,
  (open, name: string) => process.env[name] ?? (name === 'SITE_NAME' ? siteName() : open),
)
writeFileSync(file, `${text}\n`)
const left = [...new Set(text.match(/\$\{\w+\}/g))]
console.log(
  left.length === 0
    ? `${file} is complete.`
    : `${file} leaves open: ${left.join(', ')}. Keycloak fills them in from its environment with --import-realm; for its console set them here.`,
)
