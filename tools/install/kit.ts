import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SetupError } from '../../api/src/platform/errors.ts'
import { kitOf, settleSettings, writeKit } from './kit-folder.ts'
import { formatKit, isLastLine, parseKit } from './kit-text.ts'

/**
 * The recovery kit: `show` prints that of an installation, on a terminal only (a server names its --settings, --version, --site and
 * --command); `read` takes a pasted one into an empty folder for
 * ops/backup; `settle` adapts the restored settings to this release.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: '.' },
    version: { type: 'string' },
    settings: { type: 'string' },
    site: { type: 'string' },
    command: { type: 'string' },
    kit: { type: 'string', default: '' },
  },
})

const COMMANDS: Record<string, () => void | Promise<void>> = {
  show: () => {
    if (!process.stdout.isTTY)
      throw new SetupError('The kit is shown on a terminal only, and is neither stored nor mailed')
    const { folder, settings, version, site, command } = options
    const found = kitOf(folder, settings)
    const kit = { ...found.kit, version: version ?? found.kit.version }
    console.log(
      formatKit(kit, { site: site ?? found.site, ...(command ? { restoreCommand: command } : {}) }),
    )
  },
  read: async () => {
    if (process.stdin.isTTY)
      console.log('Paste the recovery kit, with its first and its last line:')
    writeKit(options.folder, parseKit(await readPasted()))
  },
  settle: () =>
    settleSettings(join(options.folder, '.env'), {
      version: options.version ?? '',
      kit: options.kit,
    }),
}

/** Until the kit's last line: a terminal has no end. */
async function readPasted() {
  const lines: string[] = []
  for await (const line of createInterface({ input: process.stdin })) {
    lines.push(line)
    if (isLastLine(line)) break
  }
  // A terminal would keep the program running.
  process.stdin.destroy()
  return lines.join('\n')
}

try {
  const command = COMMANDS[positionals[0] ?? '']
  if (!command) throw new SetupError(`Commands: ${Object.keys(COMMANDS).join(', ')}`)
  await command()
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
