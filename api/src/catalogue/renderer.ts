import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Get = (path: string) => Promise<unknown>
/** `record`: ID of the record the page shows. A page that failed to render has `error` instead of `text`. */
export type SiteFile = { path: string; record?: string; text?: string; error?: unknown }

/** What `render` of web/src/server.ts returns; loaded from the build: api never imports web. */
type Renderer = {
  renderCatalogue: (get: Get, now: Date) => Promise<SiteFile[]>
  renderInquiry: (answer: unknown) => Promise<string>
}
type Bundle = { render: (input: object) => Promise<Renderer> }

/** The mtime in the URL makes the module loader read a rebuilt bundle again. */
export async function loadRenderer(bundle: string) {
  const { mtimeMs } = statSync(bundle)
  const { render } = (await import(`${pathToFileURL(bundle).href}?${mtimeMs}`)) as Bundle
  const read = (name: string) =>
    JSON.parse(readFileSync(join(dirname(bundle), name), 'utf8')) as object
  return render({ ...read('site.json'), assets: read('assets.json') })
}

/** The response page for a privacy request posted without JavaScript. */
export const buildInquiryPage = (bundle: string) => async (answer: unknown) => {
  const { renderInquiry } = await loadRenderer(bundle)
  return renderInquiry(answer)
}
