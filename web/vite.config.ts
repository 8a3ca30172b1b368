import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { buildConstants } from './define.ts'

const file = (name: string) => new URL(name, import.meta.url).pathname
const api = `http://127.0.0.1:${process.env['API_PORT'] ?? '8081'}`
const keycloak = `http://localhost:${process.env['KEYCLOAK_PORT'] ?? '8280'}`

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
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
  ],
  define: buildConstants(),
  build: {
    target: 'es2022',
    // `assets` is a model's address.
    assetsDir: 'static',
    // Nothing inline: the content security policy allows files of ours only.
    assetsInlineLimit: 0,
    rollupOptions: { input: { main: file('index.html'), renew: file('silent-renew.html') } },
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
    proxy: { '/api': api, '/healthz': api, '/readyz': api },
  },
})
