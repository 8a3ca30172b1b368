import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { siteData } from './dev-site-data.ts'
import { buildIconFiles } from './icon-files.ts'
import { iconPaths } from './icon-paths.ts'
import { stripModules } from './strip-modules.ts'
import { catalogueOf, messages } from './messages.ts'
import { purgeCss } from './purge-css.ts'
import { exportForWeb, readModelIcons, readSiteInput, siteFolder } from './site-input.ts'

const file = (name: string) => new URL(name, import.meta.url).pathname
const api = `http://127.0.0.1:${process.env['API_PORT'] ?? '8081'}`
const keycloak = `http://localhost:${process.env['KEYCLOAK_PORT'] ?? '8280'}`

/** Modules that boot.ts shares with the app: one small chunk without React (tools/checks/structure.test.ts). */
const BOOT = [
  /boot(\.ts$|\/(?!preserve-input))/,
  /messages\/[\w-]+\/(in-sentence|site|specified)\.ts$/,
  /base\/(hash|letter-shortcuts|observable|readable-error|sign-in-drafts|storage)\.ts$/,
  /auth\/session\.ts$/,
  /data\/(client|definitions|field|send)\.ts$/,
  /ui\/import-chunk\.ts$/,
  /ui\/overlay\/position\.ts$/,
]
/** Chunk for signing in, with or without the app. */
const AUTH = [/auth\/(auth|config)\.ts$/, /base\/drafts\.ts$/, /messages\/[\w-]+\/login\.ts$/]
/** Chunk of the app on every page. */
const SITE = [
  /(heads|main|router|site-map|status-pages)\.tsx?$/,
  /layout\/(?!model-nav|staff-|status-line|step-up-dialog)/,
  /palette\/palette-host\.tsx$/,
  /feedback\/(?!confirm-dialog|read-instruction)/,
  /messages\/[\w-]+\/(heads|specified-cookies)\.ts$/,
  /base\/(format|service-path|site|site-data|status-phrases|store)\.ts$/,
  /ui\/(icon|record-icon|illustration|initials|lazy-module|status-screen)\.tsx?$/,
  /ui\/overlay\/(dialog|menu-link|modal|use-panel)\.tsx?$/,
  /auth\/(session-end|sign-in|sign-in-client)\.tsx?$/,
  /data\/(audience|failure|guard|load-part|revalidate)\.ts$/,
  /public\/status\.tsx$/,
  /records\/shell\/error-screen\.tsx$/,
]
/** Chunk of lists, most of it shared by record pages: one file instead of twenty. */
const RECORDS = [
  /records\/(routes|guard)\.tsx?$/,
  /records\/shell\//,
  /records\/query\/(?!filter-draft|filter-labels|related-names)/,
  /records\/shared\/(?!action-icon|actions|copy-to-clipboard|lazy-merge-view|merge-view|word-diff|load-record|properties|read-labels|value-text)/,
  /records\/list\/(?!empty-list|list-error|row-actions|view-menu)/,
  /records\/filter\/lazy-editor/,
  /messages\/[\w-]+\/(list|record)\.ts$/,
  /ui\/overlay\/(popover|use-panel)\.tsx?$/,
]
const WRITE = [
  /auth\/challenge\.ts$/,
  /messages\/[\w-]+\/(fields|write)\.ts$/,
  /data\/(idempotency-key|merge|mutate|undo|use-mutate)\.ts$/,
  /forms\/use-(single-flight|submit)\.ts$/,
  /feedback\/confirm-dialog\.tsx$/,
  /ui\/busy-button\.tsx$/,
]
/** Chunk of the staff's bar, rail and status line. */
const SHELL = [/layout\/(staff-|status-line)/, /messages\/[\w-]+\/shell\.ts$/]
/** Chunk shared by forms, record pages and the shell. */
const SHARED = [
  /data\/(desk-count|fresh-value|model-counts|presentation|records)\.ts$/,
  /layout\/(model-nav\.tsx|staff-pages\.ts)$/,
  /messages\/[\w-]+\/specified-pages\.ts$/,
  /base\/dates\.ts$/,
  /forms\/inputs\/types\.ts$/,
  /records\/shared\/value-text\.ts$/,
  /ui\/(load-failed|model-icon|render-marked|tone)\.tsx$/,
]
const MODEL_BOOT = /\/model\/src\/(definition\/access|privacy\/browser-storage)/
const MODEL_SITE = /\/model\/src\/site\//
const MODEL_SHARED = /\/model\/src\/definition\/(fields|text-patterns)/
const MODEL_RECORDS = /\/model\/src\/definition\/filter/

const isOneOf = (patterns: RegExp[]) => (id: string) => patterns.some((pattern) => pattern.test(id))
const anyOf = (folder: string, patterns: RegExp[]) =>
  patterns.map(({ source }) => new RegExp(`/${folder}/${source}`))

exportForWeb()
const icons = buildIconFiles(readModelIcons())
/** A language is a build; everything else of a site's configuration is not. */
const catalogue = catalogueOf(readSiteInput().config.site.locale)

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    messages({
      catalogue: file(`src/messages/${catalogue}`),
      own: join(siteFolder, 'messages'),
    }),
    siteData(icons.addresses),
    purgeCss(),
    {
      name: 'config.json',
      // Development only: in production the front proxy serves config.json.
      configureServer: ({ middlewares }) => {
        middlewares.use('/config.json', (_request, response) => {
          response.setHeader('content-type', 'application/json')
          response.end(
            JSON.stringify({
              authority: `${keycloak}/realms/gatehouse`,
              clientId: 'gatehouse-web',
              adminMfa: process.env['ADMIN_MFA'] || 'off',
              ownerPath: 'owner',
              productPages: true,
            }),
          )
        })
      },
    },
    {
      name: 'icon-files',
      configureServer: ({ middlewares }) => {
        for (const { address, text } of icons.files)
          middlewares.use(address, (_request, response) => {
            response.setHeader('content-type', 'image/svg+xml')
            response.end(text)
          })
      },
      generateBundle() {
        if (this.environment.name !== 'client') return
        for (const { address, text } of icons.files)
          this.emitFile({ type: 'asset', fileName: address.slice(1), source: text })
      },
    },
    iconPaths(),
    stripModules(),
  ],
  build: {
    target: 'es2022',
    outDir: process.env['WEB_DIST'] ?? 'dist',
    emptyOutDir: true,
    // `assets` is a model's path.
    assetsDir: 'static',
    // Nothing inline: the content security policy allows own files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Maps pages to scripts; build.ts reads and removes it.
    manifest: true,
    rolldownOptions: {
      input: { main: file('index.html'), renew: file('silent-renew.html') },
      // The model has no side effects: unused parts are dropped.
      treeshake: { moduleSideEffects: (id) => !id.includes('/model/src/') },
      // A few shared chunks instead of many small ones; libraries apart, as they change less often.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|react-router|react-oidc-context)\//,
            },
            // Own chunk: public forms link it from their document, before the app that also imports it.
            { name: 'forms', test: /styles\/forms\.scss$/ },
            {
              name: 'boot',
              test: isOneOf([...anyOf('web/src', BOOT), MODEL_BOOT, /preload-helper/]),
            },
            { name: 'auth', test: isOneOf(anyOf('web/src', AUTH)) },
            {
              name: 'site',
              test: isOneOf([...anyOf('web/src', SITE), MODEL_SITE]),
            },
            {
              name: 'shared',
              test: isOneOf([...anyOf('web/src', SHARED), MODEL_SHARED]),
            },
            { name: 'shell', test: isOneOf(anyOf('web/src', SHELL)) },
            { name: 'write', test: isOneOf(anyOf('web/src', WRITE)) },
            { name: 'records', test: isOneOf([...anyOf('web/src', RECORDS), MODEL_RECORDS]) },
          ],
        },
      },
    },
  },
  css: {
    preprocessorOptions: {
      scss: {
        quietDeps: true,
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
