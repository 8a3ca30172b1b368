import type { Profile, SiteConfig } from '@gatehouse/model'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, inject, test, vi } from 'vitest'

const EMPTY = { certifications: [], expertise: [], projects: [], tools: [] }

/** The profile page of a site with this content. */
async function pageOf(change: Partial<Profile> = {}, owner: Partial<SiteConfig['owner']> = {}) {
  vi.resetModules()
  const { provideParts } = await import('../base/site-data.ts')
  const parts = inject('siteParts')
  const { config } = parts.site
  provideParts({
    ...parts,
    profile: { ...parts.profile, ...change },
    site: { ...parts.site, config: { ...config, owner: { ...config.owner, ...owner } } },
  })
  const [{ Profile: Page }, jsonLd, { headMessages }] = await Promise.all([
    import('./profile.tsx'),
    import('./json-ld.ts'),
    import('#messages/heads.ts'),
  ])
  const html = renderToStaticMarkup(
    <RouterProvider router={createMemoryRouter([{ path: '/', element: <Page /> }])} />,
  )
  return {
    headings: [...html.matchAll(/<h2[^>]*>([^<]+)</g)].map(([, text]) => text),
    html,
    people: jsonLd.people(),
    description: headMessages.descriptions.profile,
  }
}

test('a profile without certifications, areas, projects and tools has no headings for them', async () => {
  expect((await pageOf()).headings).toEqual([
    'Certifications',
    'Expertise',
    'Selected projects',
    'Tools',
    'Engineering philosophy',
    'Tell us what’s going wrong.',
  ])
  const { philosophy } = inject('siteParts').profile
  const { headings, html } = await pageOf({
    ...EMPTY,
    philosophy: { ...philosophy, principles: [] },
  })
  expect(headings).toEqual(['Engineering philosophy', 'Tell us what’s going wrong.'])
  expect(html.match(/<ol/g)).toHaveLength(1)
})

test('a firm that presents itself is described as a firm, not as a person', async () => {
  const person = await pageOf()
  expect(person.people).toHaveLength(1)
  expect(person.description).toContain(
    'Alex Marlow, DevOps and Cybersecurity Specialist at Gatehouse',
  )
  const firm = await pageOf({}, { name: 'Gatehouse', title: 'Managed IT' })
  expect(firm.people).toEqual([])
  expect(firm.description).toBe('Managed IT from Gatehouse.')
})
