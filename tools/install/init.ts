import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { SetupError } from '../../api/src/platform/errors.ts'
import type { Finding } from '../../ops/doctor/finding.ts'
import { askQuestions, checkAnswers } from './answers.ts'
import { checkInstallation } from './checks.ts'
import { parseEnv } from './env-file.ts'
import { HELP } from './help.ts'
import { questionsOf } from './questions.ts'
import { readFolder, type InstallationFolder } from './read-folder.ts'
import { openTerminal } from './terminal.ts'
import { writeFiles } from './write-files.ts'

/** Asks a few questions, writes the files of an installation and checks what it needs. Safe to repeat. */
const SIGN = { ok: '✓', warning: '!', failure: '✗' }
const STDIN = '-'

try {
  process.exitCode = await run(readOptions())
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string', default: '.' },
      version: { type: 'string' },
      answers: { type: 'string' },
      running: { type: 'boolean', default: false },
      server: { type: 'boolean', default: false },
      command: { type: 'string' },
      'check-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return values
}

async function run(options: ReturnType<typeof readOptions>) {
  if (options.help) {
    console.log(HELP)
    return 0
  }
  const isServer = options.server
  const command = options.command ?? (isServer ? 'gatehouse' : './gatehouse')
  const before = readFolder(options.folder, { isServer })
  if (!options['check-only']) {
    const version = options.version ?? before.env['VERSION']
    if (!version) throw new SetupError('--version is missing: the release to install')
    const registry = process.env['IMAGE_REGISTRY']
    const answers = await answersOf(before, options.answers)
    const written = writeFiles(before, answers, { version, registry })
    console.log(`\nWritten: ${written.join(', ')}\n`)
  } else if (!before.env['SITE_HOST'])
    throw new SetupError(`There is no installation in ${options.folder} yet: run ${command} init`)
  const isOk = await printChecks(readFolder(options.folder, { isServer }), {
    isRunning: options.running,
    command,
  })
  console.log(`\n${isOk ? 'Next' : 'Correct what failed (✗), then'}: ${command} up`)
  return isOk ? 0 : 1
}

async function answersOf(
  { earlier, site, isServer }: InstallationFolder,
  file: string | undefined,
) {
  const questions = questionsOf({ hasSite: site === 'own', isServer })
  if (file === undefined && process.stdin.isTTY) {
    const { readLine, close } = openTerminal(process.stdin, process.stdout)
    try {
      console.log('Enter takes the answer in brackets.\n')
      return await askQuestions(questions, { earlier, readLine, print: console.log })
    } finally {
      close()
    }
  }
  const given = parseEnv(
    file === undefined || file === STDIN ? await text(process.stdin) : readFileSync(file, 'utf8'),
  )
  const { answers, errors } = checkAnswers(questions, { given, earlier })
  if (errors.length > 0)
    throw new SetupError(`Nothing was written. Answers to correct:\n${errors.join('\n')}`)
  return answers
}

async function printChecks(
  installation: InstallationFolder,
  options: { isRunning: boolean; command: string },
) {
  let isOk = true
  for await (const [check, findings] of checkInstallation(installation, options))
    for (const finding of findings) {
      print(check, finding)
      isOk &&= finding.level !== 'failure'
    }
  return isOk
}

function print(check: string, finding: Finding) {
  console.log(`${SIGN[finding.level]} ${check}: ${finding.what}`)
  if (finding.level !== 'ok') console.log(`    Fix: ${finding.todo}`)
}
