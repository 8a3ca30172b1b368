import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Get = (path: string) => Promise<unknown>
/** `record`: ID of the record the page shows. A page that failed to render has `error` instead of `text`. */
export type SiteFile = { path: string; record?: string; text?: string; error?: unknown }

/** Exports of web/src/server.tsx, loaded from the build: api never imports web. */
type Renderer = {
  renderCatalogue: (assets: unknown, get: Get, now: Date) => Promise<SiteFile[]>
  renderInquiry: (assets: unknown, answer: unknown) => Promise<string>
}

/** The mtime in the URL makes the module loader read a rebuilt bundle again. */
export async function loadRenderer(bundle: string) {
  const { mtimeMs } = statSync(bundle)
  const renderer = (await import(`${pathToFileURL(bundle).href}?${mtimeMs}`)) as Renderer
  const assets: unknown = JSON.parse(readFileSync(join(dirname(bundle), 'assets.json'), 'utf8'))
  return { ...renderer, assets }
}

/** The response page for a privacy request posted without JavaScript. */
export const buildInquiryPage = (bundle: string) => async (answer: unknown) => {
  const { renderInquiry, assets } = await loadRenderer(bundle)
  return renderInquiry(assets, answer)
}
