import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Notice } from '@gatehouse/model'

const file = (name: string) => new URL(name, import.meta.url).pathname
const read = (name: string): unknown => JSON.parse(readFileSync(name, 'utf8'))

/** What the site is built with: the deployer's file, and the privacy notice as the definitions make it. */
export function buildConstants() {
  execFileSync(
    process.execPath,
    [file('../scripts/notice-write.ts'), file('../.build/notice.json')],
    {
      stdio: 'inherit',
    },
  )
  const notice = read(file('../.build/notice.json')) as Notice
  return {
    SITE_CONFIG: JSON.stringify(read(process.env['SITE_FILE'] ?? file('../config/site.json'))),
    NOTICE: JSON.stringify(notice),
    NOTICE_VERSION: JSON.stringify(notice.version),
  }
}
