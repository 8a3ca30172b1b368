import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Notice, SiteConfig } from '@gatehouse/model'
import type { BrandInput } from '@gatehouse/model/brand'

export type Get = (path: string) => Promise<unknown>
export type SiteFile = { path: string; text: string }
/** The page of a record: its file, the record's ID, and a stamp that changes with what the page shows. */
export type RecordPage = { path: string; record: string; stamp: string }

/** What `render` of web/src/server.ts returns; loaded from the build: api never imports web. */
export type Renderer = {
  renderFixed: (now: Date) => Promise<SiteFile[]>
  renderIndexes: (get: Get, now: Date) => Promise<SiteFile[]>
  /** Pages of all published records. */
  listPages: (get: Get) => Promise<RecordPage[]>
  renderPage: (page: RecordPage, get: Get) => Promise<string>
  /** Folders that contain pages of records only. */
  recordFolders: string[]
  renderInquiry: (answer: unknown) => Promise<string>
  renderPreview: () => Promise<string>
}
type Bundle = { render: (input: object) => Promise<Renderer> }

/** Input of the printed files (print.ts). */
export type PrintedInput = { config: SiteConfig; brand: BrandInput; notice: Notice }

/** Input of a site's pages, apart from its records. */
export type SiteInput = PrintedInput & {
  /** Definitions of public models (public-definitions.ts). */
  definitions: unknown[]
}

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
