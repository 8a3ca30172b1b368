import type { Env } from '#platform/env.ts'
import { findPrinted } from './printed-files.ts'
import { loadRenderer, readBuild, type Renderer, type SiteInput } from './renderer.ts'

/** The built web with this site's input; what a page writer needs, if pages are to be written. */
export function openPages({ pages: { bundle, directory } }: Pick<Env, 'pages'>, input: SiteInput) {
  const build = readBuild(bundle)
  const printed = directory ? findPrinted(directory, input) : {}
  const isPrinted = Object.keys(printed).length > 0
  let renderer: Promise<Renderer> | undefined
  return {
    /** In this process, for the response to a form that was posted without scripts. */
    loadRenderer: async () => {
      if (!build) throw new Error(`${bundle} is not built`)
      return (renderer ??= loadRenderer(build, { ...input, isPrinted }))
    },
    toWrite: build && directory ? { build, directory, input, printed } : null,
  }
}
