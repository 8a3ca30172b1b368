import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseEnv } from './env-file.ts'
import { kitOf, settleSettings, writeKit } from './kit-folder.ts'
import { formatKit, parseKit, type Kit } from './kit-text.ts'

const PROGRAM = new URL('kit.ts', import.meta.url).pathname
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIB+a/=\nMIIC\n-----END CERTIFICATE-----'
const KIT: Kit = {
  version: '1.2.3',
  bucket: 'https://s3.mine.ie:9000/b1',
  region: 'eu-west-1',
  key: 'AK/1+2=',
  secret: `it's "$5" \\ #1`,
  passPhrase: '0123456789abcdef',
  authority: '',
}
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kit-'))
  folders.push(folder)
  return folder
}

test('a printed kit is read back, indented, with other text around it and with an authority', () => {
  for (const kit of [KIT, { ...KIT, authority: CERTIFICATE }]) {
    const printed = formatKit(kit, { site: 'portal.mine.ie' })
    expect(parseKit(printed)).toEqual(kit)
    const pasted = `From: me\r\n${printed.replaceAll(/^/gm, '   ').replaceAll('\n', '\r\n')}\r\nbye`
    expect(parseKit(pasted)).toEqual(kit)
  }
})

test('a server has its settings in another file and restores by another command', () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'backup.env'), 'BACKUP_BUCKET="https://s3.mine.ie/b1"\n')
  expect(kitOf(folder, 'backup.env').kit.bucket).toBe('https://s3.mine.ie/b1')
  const page = formatKit(KIT, { site: 'server1', restoreCommand: 'programs/gatehouse restore' })
  expect(page).toMatch(/^ {2}programs\/gatehouse restore$/m)
})

test('an incomplete kit is rejected by the name of what it lacks', () => {
  const printed = formatKit(KIT, { site: 'portal.mine.ie' })
  expect(() => parseKit(printed.replace(/^BACKUP_S3_KEY=.*\n/m, ''))).toThrow(
    /lacks BACKUP_S3_KEY$/,
  )
  expect(() => parseKit(printed.replace(/^----- END.*$/m, ''))).toThrow(/first line.*and its last/)
  expect(() => parseKit(printed.replace('https://s3', 's3'))).toThrow(/no address of a bucket/)
})

test('the kit of an installation comes from .env and its secrets, and is written for the restore', () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, '.env'), 'VERSION=1.2.3\nSITE_HOST=portal.mine.ie\n')
  expect(() => kitOf(folder)).toThrow(/There is no bucket/)
  writeFileSync(join(folder, '.env'), 'VERSION=1.2.3\nBACKUP_BUCKET=https://s3.mine.ie/b1\n')
  mkdirSync(join(folder, 'secrets'))
  for (const name of ['backup_s3_key', 'backup_s3_secret', 'backup_pass_phrase'])
    writeFileSync(join(folder, 'secrets', name), `${name}\n`)
  const { kit } = kitOf(folder)
  expect(kit).toMatchObject({ region: 'us-east-1', key: 'backup_s3_key', authority: '' })
  const restored = emptyFolder()
  writeKit(restored, { ...kit, authority: CERTIFICATE })
  expect(parseEnv(readFileSync(join(restored, 'env'), 'utf8'))).toEqual({
    BACKUP_BUCKET: 'https://s3.mine.ie/b1',
    BACKUP_REGION: 'us-east-1',
  })
  expect(readdirSync(join(restored, 'secrets')).toSorted()).toEqual([
    'backup_pass_phrase',
    'backup_s3_key',
    'backup_s3_secret',
  ])
  expect(readFileSync(join(restored, 'tls/authority.pem'), 'utf8')).toBe(`${CERTIFICATE}\n`)
})

test('restored settings name this release and the kit’s bucket; an older release is rejected', () => {
  const folder = emptyFolder()
  const [file, kit] = [join(folder, '.env'), join(folder, 'env')]
  writeFileSync(file, 'VERSION=1.10.0\nLOG_LEVEL=debug\nBACKUP_BUCKET=https://old.mine.ie/b\n')
  writeFileSync(kit, 'BACKUP_BUCKET=https://s3.mine.ie/b1\nBACKUP_REGION=eu-west-1\n')
  expect(() => settleSettings(file, { version: '1.9.0', kit })).toThrow(/is of release 1\.10\.0/)
  settleSettings(file, { version: '1.10.1', kit })
  expect(parseEnv(readFileSync(file, 'utf8'))).toEqual({
    VERSION: '1.10.1',
    LOG_LEVEL: 'debug',
    BACKUP_BUCKET: 'https://s3.mine.ie/b1',
    BACKUP_REGION: 'eu-west-1',
  })
})

test('the program shows no kit where its output is no terminal, and reads one up to its last line', () => {
  const folder = emptyFolder()
  const run = (args: string[], input = '') =>
    spawnSync(process.execPath, [PROGRAM, ...args, '--folder', folder], { input, encoding: 'utf8' })
  const shown = run(['show'])
  expect([shown.status, shown.stdout]).toEqual([1, ''])
  expect(shown.stderr).toMatch(/on a terminal only/)
  expect(run(['read'], 'nothing').stderr).toMatch(/^Nothing was restored/)
  expect(run(['read'], formatKit(KIT, { site: 'portal.mine.ie' })).status).toBe(0)
  expect(readFileSync(join(folder, 'secrets/backup_s3_secret'), 'utf8')).toBe(KIT.secret)
})

test('a kit pasted at a terminal is written, and the program ends', async () => {
  const folder = emptyFolder()
  const command = `${process.execPath} ${PROGRAM} read --folder ${folder}`
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(terminal, 'exit')
  await once(terminal.stdout, 'data')
  terminal.stdin.write(`${formatKit(KIT, { site: 'portal.mine.ie' })}\n`)
  expect(await ended).toEqual([0, null])
  expect(readFileSync(join(folder, 'secrets/backup_s3_key'), 'utf8')).toBe(KIT.key)
})
