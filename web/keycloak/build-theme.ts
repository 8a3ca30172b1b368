import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { mailMessages } from './mails.ts'
import { styleSheet } from './styles.ts'

const SOURCE = join(import.meta.dirname, 'theme')
const FONT =
  '@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-latin-wght-normal.woff2'

/**
 * Writes the part of Keycloak's theme that is the same for every site: texts and pictures with `@name@` placeholders, compiled styles
 * with the default colours. api/src/pages/keycloak-theme.ts fills it in.
 */
export function buildTheme(folder: string) {
  cpSync(SOURCE, folder, { recursive: true, filter: (source) => !source.endsWith('.css') })
  const font = createRequire(import.meta.url).resolve(FONT)
  for (const kind of ['login', 'account']) {
    const resources = join(folder, kind, 'resources')
    write(join(resources, 'css/gatehouse.css'), styleSheet(join(SOURCE, kind)))
    write(join(resources, 'fonts/schibsted-grotesk.woff2'), readFileSync(font))
  }
  write(join(folder, 'email/messages/messages_en.properties'), mailMessages('@mail@@or-call@'))
}

function write(file: string, content: string | Buffer) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
