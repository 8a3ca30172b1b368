import { ENV_FILE, settingsOf, type SettingGroup } from './env-settings.ts'
import { capitalise, code, codes, joinParts, table } from './markdown.ts'
import type { Sources } from './sources.ts'

export const SETTINGS_PAGE = 'docs/reference/settings.md'
export const EXAMPLE_FILE = '.env.example'

const TITLES: Record<string, string> = {
  '': 'Process and database',
  token: 'Access tokens',
  directory: 'Accounts at the identity provider',
}
const LIMITS = 'ops/nginx/limits.env'
const NGINX_FILES = ['limits', 'gatehouse', 'identity'].map((name) => `ops/nginx/${name}.conf`)

export async function buildSettingsPage(sources: Sources) {
  const groups = settingsOf(await sources.parse(ENV_FILE))
  const required = groups.flatMap(({ settings }) => settings).filter(({ isRequired }) => isRequired)
  return joinParts([
    `<!-- Written by \`npm run docs\` from ${ENV_FILE} and ops/nginx. Change those instead. -->`,
    '# Settings',
    `The API reads its settings from environment variables at start-up, and doesn’t start if one is wrong. Required: ${codes(required.map(({ name }) => name))}. \`.env.example\` has the same list to copy, and the settings of \`compose.yaml\` and \`realm-apply\`.`,
    ...groups.flatMap(groupSection),
    '## Limits of nginx',
    'Per network address (IPv6: /64). `proxy.env`, or the environment of the container, overrides the defaults.',
    table(['Setting', 'Default', 'Directive'], limitRows(sources)),
  ])
}

const groupSection = ({ name, intro, settings }: SettingGroup) => [
  `## ${TITLES[name] ?? capitalise(name)}`,
  intro || 'What the process needs to run. Where it listens, what it connects to, how it stops.',
  table(
    ['Setting', 'Type', 'Default', 'Meaning'],
    settings.map(({ name: setting, type, fallback, isRequired, meaning }) => [
      code(setting),
      type,
      isRequired ? '**required**' : defaultWords(fallback, meaning),
      meaning,
    ]),
  ),
]

/** A default that isn't a constant is explained in the meaning. */
function defaultWords(fallback: string, meaning: string) {
  if (fallback !== '') return code(fallback)
  return meaning.includes('Default:') ? '' : 'none'
}

/** Each limit with the directives that use it. */
function limitRows({ read }: Sources) {
  const directives = NGINX_FILES.flatMap((file) => read(file).split('\n')).map((line) =>
    line.trim(),
  )
  return [...read(LIMITS).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    code(name),
    code(value),
    codes(directives.filter((line) => line.includes(`\${${name}}`))),
  ])
}

/** Ends the part of `.env.example` that is generated. */
const HAND_WRITTEN = '# Settings of other programs, not written by npm run docs.'
const COMMENT_WIDTH = 128
/** What compose.yaml requires besides; `./gatehouse init` asks for them. */
const CONTAINERS = {
  VERSION: 'Of the release, as in the names of its images.',
  SITE_HOST: 'Name of the site, as visitors type it; also in `site.url` of site/site.json.',
  IDENTITY_HOST: 'Name of the sign-in pages. Both lead to this machine.',
  OWNER_EMAIL: 'Who is invited as the first owner, and whom the certificate’s authority writes to.',
}

export async function buildExampleFile({ parse, read }: Sources) {
  const groups = settingsOf(await parse(ENV_FILE))
  const [, rest] = read(EXAMPLE_FILE).split(`${HAND_WRITTEN}\n`)
  if (rest === undefined)
    throw new Error(`${EXAMPLE_FILE} needs the line "${HAND_WRITTEN}" after its first part`)
  const required = groups.flatMap(({ settings }) => settings).filter(({ isRequired }) => isRequired)
  return [
    `# Settings. The first two parts are written by npm run docs, from ${ENV_FILE}. With containers they are lines of .env,`,
    '# which ./gatehouse init writes; secrets are files there, see docs/operating.md.',
    '',
    '# 1. What must be set. With containers:',
    ...Object.entries(CONTAINERS).flatMap(([name, meaning]) => [
      ...commentLines(meaning),
      `${name}=`,
    ]),
    '# Where the API is started otherwise; compose.yaml makes them from the names above:',
    ...required.flatMap(({ name, meaning, example }) => [
      ...commentLines(`${meaning} Such as \`${example}\`.`),
      `${name}=`,
    ]),
    '',
    '# 2. Other settings of the API, with their defaults.',
    ...groups.flatMap(({ intro, settings }) => [
      '',
      ...(intro ? [...commentLines(intro), ''] : []),
      ...settings
        .filter(({ isRequired }) => !isRequired)
        .flatMap(({ name, meaning, fallback }) => [
          ...commentLines(meaning),
          `#${name}=${fallback}`,
        ]),
    ]),
    '',
    HAND_WRITTEN,
    rest,
  ].join('\n')
}

/** Wrapped to the width of the other comments. */
function commentLines(text: string) {
  const lines: string[] = []
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 1 > COMMENT_WIDTH) lines.push(`# ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
