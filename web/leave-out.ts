import type { Plugin } from 'vite'

type Part = {
  library: string
  /** As the library itself imports it. */
  module: string
  /** What it gets instead: all that is asked of it. The build fails when a new version asks for more. */
  code: string
}

/** Parts of libraries that come along with what we use, and that nothing here can reach. */
const PARTS: Part[] = [
  {
    // It would make a UserManager for anyone who gives it none. We always give one, and most visitors need neither: without
    // this its context alone would bring the whole client to the landing page.
    library: 'react-oidc-context',
    module: 'oidc-client-ts',
    code: 'export const UserManager = undefined',
  },
  {
    // We hand no `instrumentations` to the router.
    library: 'react-router',
    module: './instrumentation.js',
    code: `
      export const consumeInstrumentationClientResultMetaReceiver = () => undefined
      export const getRouteInstrumentationUpdates = undefined
      export const instrumentClientSideRouter = undefined`,
  },
  ...['./ssr/components.js', './dom/ssr/components.js'].map((module) => ({
    // Prefetching links is for its framework mode: without that it prefetches nothing.
    library: 'react-router',
    module,
    code: `
      import { createContext } from 'react'
      export const FrameworkContext = createContext(undefined)
      export const PrefetchPageLinks = () => null
      export const usePrefetchBehavior = () => [false, null, {}]
      export const mergeRefs = (ref) => ref`,
  })),
]

const PREFIX = '\0left-out:'

/** In the browser only: the server's bundle is nobody's download. */
export const leaveOut = (): Plugin => ({
  name: 'leave-out',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId(source, importer) {
    const part = PARTS.find(
      ({ library, module }) => module === source && importer?.includes(`/${library}/`),
    )
    return part ? PREFIX + part.code : null
  },
  load: (id) => (id.startsWith(PREFIX) ? id.slice(PREFIX.length) : null),
})
