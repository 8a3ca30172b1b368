import type { Env } from '#platform/env.ts'
import { findPrinted } from './printed-files.ts'
import { loadRenderer, readBuild, type Renderer, type SiteInput } from './renderer.ts'

/** The built web with this site's input; what a page writer needs, if pages are to be written. */
export function openPages({ pages: { bundle, directory } }: Pick<Env, 'pages'>, input: SiteInput) {
  const build = readBuild(bundle)
  const printed = directory ? findPrinted(directory, input) : {}
  const isPrinted = Object.keys(printed).length > 0
  let renderer: Promise<Renderer> | undefined
  const load = async () => {
    if (!build) throw new Error(`${bundle} is not built`)
    return (renderer ??= loadRenderer(build, { ...input, isPrinted }))
  }
  return {
    loadRenderer: load,
    toWrite:
      build && directory ? { loadRenderer: load, directory, build: build.id, printed } : null,
  }
}
