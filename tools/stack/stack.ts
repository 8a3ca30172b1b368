import { rmSync } from 'node:fs'
import { demoAccounts } from './demo-accounts.ts'
import { buildServices, type Service } from './stack-services.ts'
import { readSettings } from './settings.ts'
import { startStack } from './up.ts'

/**
 * The full system in the background: `up`, `down`, `status`; `reset` also deletes its data; `stop` and `start` act on one
 * part.
 */
const settings = readSettings()
const parts = buildServices(settings)
const commands: Record<string, () => Promise<void>> = { up, down, status, reset, stop, start }
const command = commands[process.argv[2] ?? '']

if (command) await command()
else {
  console.error('Usage: npm run stack -- up | down | status | reset | stop PART | start PART')
  process.exitCode = 2
}

async function up() {
  const started = Date.now()
  try {
    await startStack(settings, parts)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.error(
      `\nStartup failed. Logs: ${settings.state}. Stop the running parts: npm run stack -- down`,
    )
    process.exit(1)
  }
  console.log(`\nReady in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
  describe()
}

async function down() {
  const { postgres, ...others } = parts
  await Promise.all(Object.values(others).map((part) => part.stop()))
  // Last: the others write to it until they stop.
  await postgres.stop()
  console.log('Stopped.')
}

async function status() {
  for (const part of Object.values(parts)) {
    const isReady = part.isRunning() && (await part.isReady())
    const state = isReady ? 'ready' : part.isRunning() ? 'not ready' : 'down'
    console.log(`${part.title.padEnd(14)} ${state.padEnd(10)} ${part.address}`)
    if (!isReady) process.exitCode = 1
  }
  console.log(`Logs and data  ${settings.state}`)
}

async function reset() {
  await down()
  rmSync(settings.state, { recursive: true, force: true })
  console.log('Data deleted.')
}

async function stop() {
  await partNamed(process.argv[3]).stop()
}

async function start() {
  await partNamed(process.argv[3]).start()
}

function partNamed(name = '') {
  const part = new Map<string, Service>(Object.entries(parts)).get(name)
  if (part) return part
  throw new Error(`No part "${name}"; parts: ${Object.keys(parts).join(', ')}`)
}

function describe() {
  console.log(`
Site     ${settings.site}
Mails    ${settings.mail}
Sign-in  ${settings.identityProvider}
Logs     ${settings.state}

Accounts:`)
  for (const { username, password, kind } of demoAccounts())
    if (!/-\d$/.test(username))
      console.log(`  ${username.padEnd(6)} ${password.padEnd(20)} ${kind}`)
  console.log('  and admin-1 to admin-4, tech-1 to tech-4, user-1 to user-4 for browser tests')
}
