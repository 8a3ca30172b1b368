import { readFileSync } from 'node:fs'
import type { SiteConfig } from '@gatehouse/model'

const SAMPLE = new URL('../../../sample/site.json', import.meta.url)

/** Of a range that the doctor doesn't take for the sample's. */
const PHONES = {
  phone: '+44 20 7946 0018',
  emergency: { phone: '+44 20 7946 0911', note: 'Day and night.' },
}

export function ownSite(host: string) {
  const config = JSON.parse(readFileSync(SAMPLE, 'utf8')) as SiteConfig
  const { site, owner, controller, socials, profile } = config
  return JSON.stringify({
    ...config,
    site: { ...site, ...PHONES, url: `https://${host}` },
    owner: { ...owner, email: `hello@${host}`, alertEmail: `alerts@${host}` },
    controller: { ...controller, name: 'A deployer', privacyEmail: `privacy@${host}` },
    socials: Object.fromEntries(
      Object.keys(socials).map((name) => [name, `https://${host}/${name}`]),
    ),
    profile: { ...profile, sample: false },
  })
}
