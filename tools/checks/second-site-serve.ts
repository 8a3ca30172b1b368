import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'
import { startApi } from '../../ops/drills/kit/api-process.ts'
import { startSite } from '../../ops/drills/kit/site-process.ts'
import { CHECKOUT, readSettings } from '../stack/settings.ts'
import { pagesFolder } from '../stack/web.ts'
import { createStackDatabase, untilStdinEnds } from './stack-database.ts'

/**
 * For e2e/second-site.spec.ts: another provider's site from the stack's build, with its own API, database and nginx. Prints its
 * address and folders as JSON, and cleans up when stdin ends.
 */
const settings = readSettings()
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-second-'))
const [site, pages, themes] = ['site', 'pages', 'themes'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
cpSync(join(CHECKOUT, 'sample'), site, { recursive: true })
const config = JSON.parse(readFileSync(join(site, 'site.json'), 'utf8')) as SiteConfig
// Without the optional contact details, which the sample has.
const { phone: _p, emergency: _e, hours: _h, holidays: _d, ...plain } = config.site
const own: SiteConfig = {
  ...config,
  site: {
    ...plain,
    name: 'Northgate IT',
    url: 'https://northgate.example',
    responseHours: 4,
  },
  owner: { ...config.owner, name: 'Nora Gate', email: 'hello@northgate.example' },
  controller: {
    ...config.controller,
    name: 'Northgate Networks Ltd',
    privacyEmail: 'privacy@northgate.example',
  },
  consent: { ...config.consent, dialog: 'when-needed', keep: 'browser' },
  brand: {
    colours: { light: '#7a1f5c', dark: '#f0b3dc' },
    logo: { light: 'logo.svg', dark: null, hasName: true },
    icon: null,
  },
}
writeFileSync(join(site, 'site.json'), JSON.stringify(own))
writeFileSync(
  join(site, 'logo.svg'),
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><path d="M0 0h120v40H0z"/></svg>',
)
const database = await createStackDatabase(settings, 'second_site')
const api = await startApi({
  env: {
    SITE_DIR: site,
    PAGES_DIR: pages,
    THEMES_DIR: themes,
    NODE_ENV: 'production',
    ...database.env,
    OIDC_ISSUER: settings.issuer,
    ADMIN_MFA: settings.adminMfa,
    SMTP_URL: `smtp://127.0.0.1:${settings.ports.smtp}`,
  },
})
const nginx = await startSite({
  directory: join(folder, 'nginx'),
  replicas: [api.port],
  over: { PAGES_ROOT: pagesFolder(pages) },
})
console.log(JSON.stringify({ base: `http://localhost:${nginx.port}`, themes }))

await untilStdinEnds()
await nginx.stop()
await api.stop()
await database.drop()
rmSync(folder, { recursive: true, force: true })
