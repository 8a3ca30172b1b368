import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENV_SAMPLES } from './kit/env-samples.ts'
import type { UpgradeEnvironment } from './install-upgrade.ts'

/** As long as production requires. */
const PASSWORD = 'p$5x-of-the-drill'
/** Prints `=` and A in base64, or nothing if unset. */
const TOLD = (command: string) =>
  `if bytes="$(set -o pipefail; ${command} printenv -0 A | base64 -w0)"; then echo "=$bytes"; else echo; fi`

/** Checks that our reader and systemd read the same values from env files, including a password with a dollar sign. */
export async function checkEnvFiles({ machine, root, env }: UpgradeEnvironment) {
  const directory = join(root, 'root/env-files')
  mkdirSync(directory, { recursive: true })
  for (const [index, { line }] of ENV_SAMPLES.entries())
    writeFileSync(join(directory, `${index}.env`), line)
  const read = async (command: string) => {
    const files = ENV_SAMPLES.map((_sample, index) => `/root/env-files/${index}.env`)
    const { text } = await machine.ask(`for file in ${files.join(' ')}; do ${TOLD(command)}; done`)
    return text.split('\n').map(decode)
  }
  const theirs = await read('systemd-run --quiet --pipe --wait -p EnvironmentFile="$file"')
  const ours = await read(
    `bash -c '. /root/source/ops/env-file.sh; set -a; read_env_file "$0"; exec "$@"' "$file"`,
  )
  const differing = ENV_SAMPLES.flatMap(({ line, value }, index) =>
    theirs[index] === value && ours[index] === value
      ? []
      : [
          `${JSON.stringify(line)} should be ${JSON.stringify(value)}: systemd reads ${JSON.stringify(theirs[index])}, we ${JSON.stringify(ours[index])}`,
        ],
  )
  return {
    facts: [
      `env files: ${ENV_SAMPLES.length} read by systemd and by us, ${differing.length} differ`,
    ],
    problems: [...differing, ...(await changePassword({ machine, root, env }))],
  }
}

const decode = (line: string) =>
  line.startsWith('=') ? Buffer.from(line.slice(1), 'base64').toString().replace(/\0$/, '') : null

/** Database role, service and doctor must all read it from the file. */
async function changePassword({
  machine,
  root,
  env,
}: Pick<UpgradeEnvironment, 'machine' | 'root' | 'env'>) {
  const file = join(root, 'etc/gatehouse/env')
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replace(/(gatehouse_app:)[^@]+@/, (_all, start) => `${start}${PASSWORD}@`),
  )
  const { code, text: output } = await machine.run('bash /root/source/ops/install.sh', env)
  return code === 0 ? [] : [`with the password ${PASSWORD}: ${output}`]
}
