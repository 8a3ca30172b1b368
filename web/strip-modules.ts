import type { Plugin } from 'vite'

type Part = {
  library: string
  /** The specifier as the library imports it. */
  module: string
  /** The stub, with just the exports in use: the build fails when a new version imports more. */
  code: string
}

/** Unreachable library modules, replaced by stubs. */
const PARTS: Part[] = [
  {
    // Creates a UserManager if none is passed; we always pass one. Its import would pull the full client into the landing page.
    library: 'react-oidc-context',
    module: 'oidc-client-ts',
    code: 'export const UserManager = undefined',
  },
  {
    // We pass no `instrumentations` to the router.
    library: 'react-router',
    module: './instrumentation.js',
    code: `
      export const consumeInstrumentationClientResultMetaReceiver = () => undefined
      export const getRouteInstrumentationUpdates = undefined
      export const instrumentClientSideRouter = undefined`,
  },
  ...['./ssr/components.js', './dom/ssr/components.js'].map((module) => ({
    // Link prefetching works in framework mode only.
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

/** Browser build only: the server's bundle is not downloaded. */
export const stripModules = (): Plugin => ({
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
