import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Notice, SiteConfig } from '@gatehouse/model'
import type { BrandInput } from '@gatehouse/model/brand'

export type Get = (path: string) => Promise<unknown>
export type SiteFile = { path: string; text: string }
/** `record`: ID of the record the page shows. A page that failed to render has `error` instead of `text`. */
export type RecordFile = { path: string; record: string; text?: string; error?: unknown }

/** What `render` of web/src/server.ts returns; loaded from the build: api never imports web. */
export type Renderer = {
  renderFixed: (now: Date) => Promise<SiteFile[]>
  renderIndexes: (get: Get, now: Date) => Promise<SiteFile[]>
  renderRecords: (get: Get) => AsyncIterable<RecordFile>
  listRecords: (get: Get) => Promise<string[]>
  recordFolders: string[]
  renderInquiry: (answer: unknown) => Promise<string>
  renderPreview: () => Promise<string>
}
type Bundle = { render: (input: object) => Promise<Renderer> }

/** What the pages of a site show, apart from its records. */
export type SiteInput = { config: SiteConfig; brand: BrandInput; notice: Notice }

/** Output of web/build.ts, the same for every site. */
export type Build = {
  bundle: string
  /** Hash of the build: pages link only to files of their own build. */
  id: string
  assets: { catalogue: string }
}

/** Null if the web was not built. */
export function readBuild(bundle: string): Build | null {
  const idFile = join(dirname(bundle), 'build-id')
  if (!existsSync(idFile)) return null
  return {
    bundle,
    id: readFileSync(idFile, 'utf8').trim(),
    assets: JSON.parse(readFileSync(join(dirname(bundle), 'assets.json'), 'utf8')),
  }
}

/** The modules of the bundle read the site's data once, so a process renders one site. */
export async function loadRenderer(
  { bundle, assets }: Build,
  { isPrinted, ...input }: SiteInput & { isPrinted: boolean },
) {
  const { render } = (await import(pathToFileURL(bundle).href)) as Bundle
  const { locale } = input.config.site
  // A locale without a catalogue still sets date and number formats.
  const language = locale.startsWith(assets.catalogue) ? locale : 'en'
  return render({ ...input, language, isPrinted, assets })
}

/** Identifies what the pages show, apart from the build and the records. */
export const hashOfInput = (input: SiteInput) =>
  createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16)
