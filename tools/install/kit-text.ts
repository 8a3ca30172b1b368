import { SetupError } from '../../api/src/platform/errors.ts'
import { parseEnv, setEnv } from './env-file.ts'
import { isBucket } from './questions.ts'

/** What a new machine must know to read the backups. Everything else is in them. */
export type Kit = {
  version: string
  bucket: string
  region: string
  key: string
  secret: string
  passPhrase: string
  /** Certificate of a private authority that the bucket may need; empty: none. */
  authority: string
}

const BEGIN = '----- BEGIN GATEHOUSE RECOVERY KIT -----'
const END = '----- END GATEHOUSE RECOVERY KIT -----'
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----/
/** Lines of the kit, by the part of it that they hold. */
const NAMES = {
  version: 'VERSION',
  bucket: 'BACKUP_BUCKET',
  region: 'BACKUP_REGION',
  key: 'BACKUP_S3_KEY',
  secret: 'BACKUP_S3_SECRET',
  passPhrase: 'BACKUP_PASS_PHRASE',
} satisfies Partial<Record<keyof Kit, string>>
type Line = keyof typeof NAMES
const LINES = Object.keys(NAMES) as Line[]

type Page = { site: string; restoreCommand?: string }

/** One page: what it is for, how to use it, and the part that a restore reads. */
export function formatKit(
  kit: Kit,
  {
    site,
    restoreCommand = `./gatehouse restore --images gatehouse-${kit.version}-images-amd64.tar.gz`,
  }: Page,
) {
  const values = Object.fromEntries(LINES.map((line) => [NAMES[line], kit[line]]))
  return `Recovery kit of ${site}

Whoever has this page can read every backup. Without it nobody can: store it in a password manager or on paper, away from this
machine and from the bucket.

To restore onto an empty machine: unpack release ${kit.version} or a newer one there, and in its folder run

  ${restoreCommand}

then paste these lines, with the first and the last.

${BEGIN}
${setEnv('', values)}${kit.authority ? `${kit.authority.trim()}\n` : ''}${END}
`
}

export const isLastLine = (line: string) => line.trim() === END

/** Takes the kit out of what was pasted, with whatever stands around it. */
export function parseKit(text: string): Kit {
  const lines = text.split('\n').map((line) => line.trim())
  const [first, last] = [lines.indexOf(BEGIN), lines.findIndex(isLastLine)]
  if (first === -1 || last < first)
    throw new SetupError(
      `Nothing was restored: the kit must have its first line, ${BEGIN}, and its last`,
    )
  const content = lines.slice(first + 1, last).join('\n')
  const values = parseEnv(content.replace(CERTIFICATE, ''))
  const missing = LINES.map((line) => NAMES[line]).filter((name) => !values[name])
  if (missing.length > 0)
    throw new SetupError(`Nothing was restored: the kit lacks ${missing.join(', ')}`)
  const value = (line: Line) => values[NAMES[line]] ?? ''
  if (!isBucket(value('bucket')))
    throw new SetupError('Nothing was restored: BACKUP_BUCKET of the kit is no address of a bucket')
  return {
    version: value('version'),
    bucket: value('bucket'),
    region: value('region'),
    key: value('key'),
    secret: value('secret'),
    passPhrase: value('passPhrase'),
    authority: CERTIFICATE.exec(content)?.[0] ?? '',
  }
}
