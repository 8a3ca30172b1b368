import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bandOf } from '@gatehouse/model/brand'
import { models, stores } from '../../api/src/installation.ts'
import { PRINTED_FOLDER, printedFolder, storePrinted } from '../../api/src/pages/printed-files.ts'
import {
  loadRenderer,
  readBuild,
  type Build,
  type SiteInput,
} from '../../api/src/pages/renderer.ts'
import { readSiteInput } from '../../api/src/pages/site-input.ts'
import { readEnv } from '../../api/src/platform/env.ts'
import { SetupError } from '../../api/src/platform/errors.ts'
import { buildLogger } from '../../api/src/platform/log.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import { openNotice } from '../../api/src/privacy/notice/start-up-check.ts'
import { CHROMIUM } from './print-browser.ts'
import { printFiles } from './print-files.ts'

/**
 * Makes what needs a browser: the notice as PDF, the images for link previews and home screens. Only if the site's configuration or
 * notice has changed since. The API includes them in its pages at its next start; without them the browser prints the notice.
 */
try {
  await run()
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}

async function run() {
  const env = readEnv(process.env)
  const { bundle, directory } = env.pages
  const build = readBuild(bundle)
  if (!build || !directory) throw new SetupError('Build the web first, and set PAGES_DIR')
  const config = readConfig(env.siteFile)
  const versions = openNotice({ models, config, stores, env, logger: buildLogger() })
  const input = readSiteInput(config, { siteFile: env.siteFile, versions, models })
  if (existsSync(printedFolder(directory, input)))
    return console.log('The notice is printed already.')
  if (!existsSync(CHROMIUM))
    return console.log(
      `No browser at ${CHROMIUM}: visitors print the notice themselves. Install chromium, or set CHROMIUM.`,
    )
  try {
    await print({ build, directory, input })
  } catch (error) {
    // The site must not wait for a browser.
    console.error('Failed to print; visitors print the notice themselves.', error)
  }
}

type Site = { build: Build; directory: string; input: SiteInput }

async function print({ build, directory, input }: Site) {
  const folder = join(directory, PRINTED_FOLDER)
  mkdirSync(folder, { recursive: true })
  const unfinished = mkdtempSync(join(folder, '.new-'))
  const renderer = await loadRenderer(build, { ...input, isPrinted: true })
  const rendered = await renderer.renderFixed(new Date())
  const files = await printFiles({
    build: resolve(dirname(build.bundle), process.env['WEB_DIST'] ?? '../dist'),
    pages: new Map(rendered.map(({ path, text }) => [path, text])),
    preview: await renderer.renderPreview(),
    lastUpdated: input.notice.lastUpdated,
    band: bandOf(input.config.brand.colours),
  })
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(unfinished, name), bytes)
  storePrinted(directory, input, unfinished)
  console.log(`Printed ${Object.keys(files).join(', ')}.`)
}
