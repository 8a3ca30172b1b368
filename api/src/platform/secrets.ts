import { readFileSync } from 'node:fs'

/** Secrets of the stack: public, so accepted only there. */
export const DEMO_SECRETS = {
  realm: 'realm-apply-demo-secret',
  service: 'gatehouse-service-demo-secret',
  signing: 'gatehouse-signing-demo-secret',
}
const KNOWN_SECRETS = ['demo', 'admin', 'changeme', ...Object.values(DEMO_SECRETS)]
export const SECRET_MIN_LENGTH = 24
const PASSWORD_MIN_LENGTH = 16
const GENERATE = 'openssl rand -hex 24'

/** Problems name the setting, never its value: they are printed and logged. */
type SecretSource = { source: NodeJS.ProcessEnv; problems: string[] }

/** Value of the setting `name`, or of the file in `name_FILE` without surrounding whitespace; empty if neither is set. */
export function readSecret(
  { source, problems }: SecretSource,
  name: string,
  { canBeEmpty = false } = {},
) {
  const value = source[name] ?? ''
  const file = source[`${name}_FILE`]
  if (!file) return value
  if (value) problems.push(`${name} and ${name}_FILE are both set: remove one`)
  const content = readContent(file)
  if ('code' in content) {
    problems.push(`${name}_FILE names ${file}, which can’t be read (${content.code})`)
    return ''
  }
  if (!content.text && !canBeEmpty) problems.push(`${name}_FILE names ${file}, which is empty`)
  return content.text
}

function readContent(file: string) {
  try {
    return { text: readFileSync(file, 'utf8').trim() }
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? 'unknown' }
  }
}

/** Reports a secret that is publicly known or could be guessed. */
export function requireStrong(
  problems: string[],
  { name, secret, minLength }: { name: string; secret: string; minLength: number },
) {
  if (KNOWN_SECRETS.includes(secret.toLowerCase()))
    problems.push(`${name} is publicly known: generate one with ${GENERATE}`)
  else if (secret.length < minLength)
    problems.push(
      `${name} must be a generated secret of at least ${minLength} characters: ${GENERATE}`,
    )
}

type DatabaseUrl = {
  name: `${string}_URL`
  url: string
  password: string
  /** Checks a password inside the address too. */
  isProduction: boolean
}

/** The database address of the setting `name` with its role's password, which may contain any characters. */
export function addPassword(
  problems: string[],
  { name, url, password, isProduction }: DatabaseUrl,
) {
  const passwordName = name.replace(/URL$/, 'PASSWORD')
  const parsed = URL.canParse(url) ? new URL(url) : null
  const embedded = parsed ? passwordIn(parsed) : ''
  const minLength = PASSWORD_MIN_LENGTH
  if (password) requireStrong(problems, { name: passwordName, secret: password, minLength })
  if (embedded && isProduction)
    requireStrong(problems, { name: `The password in ${name}`, secret: embedded, minLength })
  if (!password || !url) return url
  if (embedded) problems.push(`${name} holds a password and ${passwordName} is set: remove one`)
  if (!parsed?.hostname) {
    problems.push(`${name} must be an address such as postgres://ROLE@HOST:5432/NAME`)
    return url
  }
  // Encoded here, because the setter leaves a % as it is.
  parsed.password = encodeURIComponent(password)
  return parsed.href
}

/** As node-postgres reads it. */
const passwordIn = ({ password, searchParams }: URL) =>
  searchParams.get('password') || (decode(password) ?? password)

/** The SMTP relay of SMTP_URL; null without one. */
export function toRelayUrl(problems: string[], url: string) {
  if (!url) return null
  const { protocol, hostname, username, password } = URL.canParse(url) ? new URL(url) : NO_URL
  const isRelay = ['smtp:', 'smtps:'].includes(protocol) && hostname !== ''
  if (!isRelay || [username, password].some((part) => decode(part) === null))
    problems.push(
      'SMTP_URL must be smtp://HOST:PORT or smtps://HOST:PORT; with a sign-in, smtp://USER:PASSWORD@HOST:PORT, both percent-encoded',
    )
  return url
}

const NO_URL = { protocol: '', hostname: '', username: '', password: '' }

function decode(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
