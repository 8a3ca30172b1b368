import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployed } from './compose-requests.ts'
import type { Deployment } from './kit/containers/deployment.ts'
import type { Result } from './kit/results.ts'

const SECRETS = [
  'backup_pass_phrase',
  'backup_s3_key',
  'backup_s3_secret',
  'database_password',
  'database_migration_password',
  'files_s3_secret',
  'identity_service_secret',
  'keycloak_database_password',
  'postgres_password',
  'realm_secret',
  'signing_secret',
  'smtp_url',
]
/** Refused by the script: the last one without what compose.yaml uses. */
const OLD_COMPOSE = '2.23.3'

/** Those of a bucket are empty until there is one. */
export const readSecrets = ({ folder }: Deployment) =>
  readdirSync(join(folder, 'secrets'))
    .map((name) => readFileSync(join(folder, 'secrets', name), 'utf8').trim())
    .filter(Boolean)

/** Lines, quoted as Compose reads them. */
export function writeAnswers(folder: string, answers: Record<string, string>) {
  const file = join(folder, 'answers')
  const lines = Object.entries(answers).map(
    ([name, value]) => `${name}='${value.replaceAll("'", String.raw`\'`)}'\n`,
  )
  writeFileSync(file, lines.join(''))
  return file
}

export const initialise = (deployment: Deployment, answers: Record<string, string>) =>
  deployment.gatehouse(['init', '--answers', writeAnswers(deployment.folder, answers)])

/** In a folder of its own, beside an installation that runs. */
export async function checkInit({
  docker,
  deploy,
  answers,
  services,
}: Deployed): Promise<Result[]> {
  const deployment = deploy('second')
  const early = deployment.gatehouse(['up'])
  const old = withOldCompose({ docker, deployment })
  // Otherwise it would take the other installation's containers for its own.
  writeFileSync(join(deployment.folder, '.env'), 'COMPOSE_PROJECT_NAME=second\n')
  const wrong = initialise(deployment, {
    ...answers,
    SITE_HOST: 'https://x',
    TLS: 'maybe',
    COUNTRY: 'Ireland',
  })
  const first = initialise(deployment, answers)
  const secrets = readSecrets(deployment)
  const again = initialise(deployment, answers)
  const modes = ['secrets', ...SECRETS.map((name) => `secrets/${name}`)].map((path) =>
    (statSync(join(deployment.folder, path)).mode & 0o777).toString(8),
  )
  const [mail] = await services.readMails()
  const isNamed = ['SITE_HOST', 'TLS', 'COUNTRY'].every((name) => wrong.output.includes(`${name}:`))
  const isBusy = ['80', '443'].every((port) => new RegExp(`✗.*${port}`).test(first.output))
  return [
    {
      title: 'up before init',
      isRight: early.status !== 0 && early.output.includes('./gatehouse init'),
      figure: early.output,
    },
    {
      title: 'an older Compose',
      isRight: old.includes(OLD_COMPOSE) && old.includes('https://'),
      figure: old,
    },
    {
      title: 'wrong answers',
      isRight: wrong.status !== 0 && isNamed,
      figure: `${wrong.output.split('\n').length} lines, each named`,
    },
    {
      title: 'ports in use, by the other installation',
      isRight: first.status !== 0 && isBusy,
      figure: first.output
        .split('\n')
        .filter((line) => line.startsWith('✗'))
        .join(' | '),
    },
    {
      title: 'secrets on the terminal',
      isRight: secrets.filter(Boolean).every((secret) => !first.output.includes(secret)),
      figure: 'none',
    },
    {
      title: 'test email by the relay',
      isRight: mail !== undefined,
      figure: mail?.subject ?? 'none',
    },
    {
      title: 'init again',
      isRight: again.status === first.status && readSecrets(deployment).join() === secrets.join(),
      figure: 'the same secrets',
    },
    {
      title: 'modes of the secrets',
      isRight: modes.join() === ['700', ...SECRETS.map(() => '444')].join(),
      figure: modes.join(' '),
    },
  ]
}

/** With a plugin that names an older version, as Debian’s and older installations of Docker do. */
function withOldCompose({ docker, deployment }: Pick<Deployed, 'docker' | 'deployment'>) {
  const plugins = join(deployment.folder, 'old/cli-plugins')
  mkdirSync(plugins, { recursive: true })
  const metadata = { SchemaVersion: '0.1.0', Vendor: 'Docker Inc.', Version: OLD_COMPOSE }
  const plugin = join(plugins, 'docker-compose')
  writeFileSync(
    plugin,
    `#!/bin/sh\nif [ "$1" = docker-cli-plugin-metadata ]; then echo '${JSON.stringify(metadata)}'; else echo ${OLD_COMPOSE}; fi\n`,
  )
  chmodSync(plugin, 0o755)
  const env = { ...docker.env, DOCKER_CONFIG: join(deployment.folder, 'old') }
  const { stderr, stdout } = docker.run('./gatehouse', ['up'], { cwd: deployment.folder, env })
  return `${stdout}${stderr}`.trim()
}
