import { fileURLToPath } from 'node:url'
import type { PatchOf } from '@gatehouse/model'
import { accounts, contacts } from '@gatehouse/model/models'
import { behaviours, models, requireSound, texts } from '#installation.ts'
import { SITE_FOLDER } from '#platform/paths.ts'
import { readConfig } from '#platform/site-config.ts'
import { readVersions } from '#privacy/notice/versions.ts'
import { buildProduct } from '#product.ts'
import { personOf, type Name } from './call-as.ts'
import { startTest, WITH_OWNERS } from './kit.ts'

// Public entry point for a site's tests, `*.test.ts` alone. Its exports are as stable as the API: docs/decisions/63-site-tests.md
export { RejectedError } from './call-as.ts'
export type { SentMail } from './sent-mails.ts'

export type TestSite = Awaited<ReturnType<typeof startTestSite>>

/** The API of this site on a database of its own: empty, with the tables of product and site. */
export async function startTestSite() {
  requireSound()
  const { as, mails, clock, call, stop } = await startTest({
    models,
    product: buildProduct({ versions: readVersions(), behaviours }),
    config: readConfig(fileURLToPath(new URL('site.json', SITE_FOLDER))),
    texts,
    template: 'template_site',
    settings: WITH_OWNERS,
  })

  /** Makes an account a client: with a contact of its address, to which an admin has given access. */
  async function approve(name: Name, values: Partial<PatchOf<typeof contacts>> = {}) {
    const person = personOf(name)
    const email = person?.email ?? ''
    const admin = as('admin')
    await admin.records(contacts).create({ fullName: person?.name ?? name, email, ...values })
    // The first request of an account creates its record.
    await call('GET', '/api/me', person)
    const [account] = await admin
      .records(accounts)
      .list({ filter: { all: [['email', 'eq', email]] } })
    await admin.act(accounts, account?.id ?? '', 'approve')
  }

  return { as, approve, mails, clock, stop }
}
