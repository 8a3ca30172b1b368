import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SITE_FOLDER } from '../../api/src/platform/paths.ts'
import type { Program } from './foreground.ts'
import { CHECKOUT, type Settings } from './settings.ts'
import { apiEnv } from './stack-services.ts'

export const API_SOURCES = [
  join(CHECKOUT, 'api/src'),
  join(CHECKOUT, 'model/src'),
  fileURLToPath(SITE_FOLDER),
]

export const apiProgram = (settings: Settings): Program => ({
  title: 'API',
  args: ['api/src/server.ts'],
  folder: CHECKOUT,
  env: apiEnv(settings),
})

/** Takes nginx's port and proxies what nginx would. Started without npm, which passes no signal on. */
export const viteProgram = ({ ports }: Settings): Program => ({
  title: 'Vite',
  args: [join(CHECKOUT, 'node_modules/vite/bin/vite.js')],
  folder: join(CHECKOUT, 'web'),
  env: {
    SITE_PORT: String(ports.site),
    API_PORT: String(ports.api),
    METRICS_PORT: String(ports.metrics),
    KEYCLOAK_PORT: String(ports.keycloak),
  },
})
