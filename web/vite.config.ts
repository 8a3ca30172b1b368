import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brand, buildConstants } from './define.ts'
import { purgeCss } from './purge-css.ts'

const file = (name: string) => new URL(name, import.meta.url).pathname
const api = `http://127.0.0.1:${process.env['API_PORT'] ?? '8081'}`
const keycloak = `http://localhost:${process.env['KEYCLOAK_PORT'] ?? '8280'}`

const brandFiles = Object.entries(brand.files)

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    purgeCss(),
    {
      name: 'config.json',
      // In production the front proxy serves this file: one build fits every deployment.
      configureServer: ({ middlewares }) => {
        middlewares.use('/config.json', (_request, response) => {
          response.setHeader('content-type', 'application/json')
          response.end(
            JSON.stringify({
              authority: `${keycloak}/realms/gatehouse`,
              clientId: 'gatehouse-web',
            }),
          )
        })
      },
    },
    {
      name: 'brand-files',
      configureServer: ({ middlewares }) => {
        for (const [address, text] of brandFiles)
          middlewares.use(address, (_request, response) => {
            response.setHeader('content-type', 'image/svg+xml')
            response.end(text)
          })
      },
      generateBundle() {
        if (this.environment.name !== 'client') return
        for (const [address, source] of brandFiles)
          this.emitFile({ type: 'asset', fileName: address.slice(1), source })
      },
    },
    {
      // Of an icon only its paths are needed, not the file around them, thirty times over.
      name: 'icon-paths',
      enforce: 'pre',
      load: (id) => {
        const [name, query] = id.split('?')
        if (query !== 'paths' || !name) return null
        const found = [...readFileSync(name, 'utf8').matchAll(/ d="([^"]+)"/g)]
        return `export default ${JSON.stringify(found.map((match) => match[1]))}`
      },
    },
    {
      // react-oidc-context would make a UserManager for whoever gives it none. We always give one, and most visitors need
      // neither: without this line its context alone would bring the whole client to the landing page.
      name: 'sign-in-client-on-demand',
      apply: 'build',
      enforce: 'pre',
      resolveId: (source, importer) =>
        source === 'oidc-client-ts' && importer?.includes('/react-oidc-context/')
          ? '\0no-user-manager'
          : null,
      load: (id) => (id === '\0no-user-manager' ? 'export const UserManager = undefined' : null),
    },
  ],
  define: buildConstants(),
  build: {
    target: 'es2022',
    outDir: process.env['WEB_DIST'] ?? 'dist',
    emptyOutDir: true,
    // `assets` is a model's address.
    assetsDir: 'static',
    // Nothing inline: the content security policy allows files of ours only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Which script a page is in: build.ts reads it and takes it away.
    manifest: true,
    rolldownOptions: {
      input: { main: file('index.html'), renew: file('silent-renew.html') },
      // The model only declares: what nobody uses of it may go.
      treeshake: { moduleSideEffects: (id) => !id.includes('/model/src/') },
      // What every page needs comes in three files, not in twenty: the libraries change less often than we do.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|react-router|react-oidc-context)\//,
            },
            {
              name: 'site',
              test: /web\/src\/(layout\/(?!cookie-question)|feedback\/|heads\.ts|messages\/(texts|status-phrases)|base\/(drafts|hash|readable-error|site|storage|store)\.ts|ui\/(fetch-part|icon|illustration|part|status-screen)\.tsx?|ui\/overlay\/(dialog|drawer|menu|modal|place|use-panel)\.tsx?|auth\/(auth|sign-in)\.tsx?|data\/(client|definitions|guard|revalidate)\.ts)|model\/src\/(?!.*(complaint|matches|context)\.ts)/,
            },
          ],
        },
      },
    },
  },
  css: {
    preprocessorOptions: {
      scss: {
        quietDeps: true,
        // The deployer's colours: for what Bootstrap computes from them, and over those that are drawn.
        additionalData: (source: string, name: string) =>
          name.endsWith('/site.scss') ? brand.styles.before + source + brand.styles.after : source,
        silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
      },
    },
  },
  server: {
    port: Number(process.env['SITE_PORT'] ?? process.env['PORT'] ?? 8080),
    strictPort: true,
    proxy: { '/api': api, '/healthz': api },
  },
})
