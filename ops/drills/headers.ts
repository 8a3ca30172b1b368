import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readHsts } from '../../api/src/platform/hsts.ts'
import { installNpmTool } from '../../tools/build/npm-tool.ts'
import { isTaken } from '../../tools/stack/process.ts'
import { nginxProgram } from '../../tools/stack/nginx.ts'
import { freePort, readSettings } from '../../tools/stack/settings.ts'
import { pagesFolder } from '../../tools/stack/web.ts'
import { createCertificate } from './kit/certificate.ts'

const VERSION = '1.4.8'
const TOOL = new URL('../../.tools/observatory', import.meta.url).pathname
const PACKAGE = join(TOOL, 'node_modules/@mdn/mdn-http-observatory')
const SCORE_MIN = 125
/** Every kind of HTML the site serves: public pages, shells, 404. */
const PATHS = [
  '/',
  '/profile',
  '/contact',
  '/privacy',
  '/security',
  '/login',
  '/unauthorised',
  '/msp/services',
  '/msp-services',
  '/signin-callback',
  '/logout-callback',
  '/silent-renew.html',
  '/services',
  '/services/create',
  '/tickets/1',
  '/nothing-here',
  '/msp',
]

type Grade = { path: string; grade: string; score: number; failed: string[] }

/** Grades the built site behind the shipped nginx, over https, by the rules of MDN's HTTP Observatory, offline. */
export async function headers() {
  install()
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-headers-'))
  const settings = readSettings()
  const port = await freePort()
  const certificate = createCertificate(directory, 'localhost')
  const { command, args } = nginxProgram(settings, {
    directory: join(directory, 'nginx'),
    over: {
      // The identity provider is reached over https, as in production; the stack's is local.
      IDENTITY_PROVIDER: 'https://id.gatehouse.example',
      HSTS: readHsts(undefined, []),
      LISTEN: `127.0.0.1:${port} ssl; ssl_certificate ${certificate.file}; ssl_certificate_key ${certificate.key}`,
    },
  })
  const nginx = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  // As in production: http only redirects to https.
  const clear = createServer((request, response) =>
    response.writeHead(301, { location: `https://localhost:${port}${request.url}` }).end(),
  ).listen(0, '127.0.0.1')
  try {
    while (!(await isTaken(port))) await setTimeout(100)
    const paths = [...PATHS, ...servicePaths(pagesFolder(settings.pages))]
    const ports = [(clear.address() as AddressInfo).port, port].map(String)
    const grades = JSON.parse(
      execFileSync(
        process.execPath,
        [join(import.meta.dirname, 'headers-grade.ts'), PACKAGE, ...ports, ...paths],
        { encoding: 'utf8', env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate.file } },
      ),
    ) as Grade[]
    for (const { path, grade, score, failed } of grades)
      console.log(`${grade.padEnd(3)} ${score}  ${path}  ${failed.join(', ')}`)
    const low = grades.filter(({ grade, score }) => grade !== 'A+' || score < SCORE_MIN)
    console.log(
      low.length === 0
        ? `headers: passed, A+ with at least ${Math.min(...grades.map(({ score }) => score))} on ${grades.length} pages`
        : `headers: FAILED on ${low.map(({ path }) => path).join(', ')}`,
    )
    return low.length === 0
  } finally {
    clear.close()
    nginx.kill()
    await once(nginx, 'exit')
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Skips its download of the HSTS preload list, which our sites aren't on. */
function install() {
  installNpmTool({ name: 'observatory', package: '@mdn/mdn-http-observatory', version: VERSION })
  writeFileSync(join(PACKAGE, 'conf/hsts-preload.json'), '{}')
}

function servicePaths(pages: string) {
  const directory = join(pages, 'services')
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `/services/${name}`)
}
