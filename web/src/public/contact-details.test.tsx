import { isValidElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { AuthProvider } from 'react-oidc-context'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, inject, test, vi } from 'vitest'
import type { SiteConfig } from '@gatehouse/model'
import { signInAs } from '../../test/kit.tsx'

const DETAILS: Partial<SiteConfig['site']> = {
  phone: '+353 (0)20 910 0100',
  emergency: { phone: '+353 20 910 0911', note: 'Day and night, if your work has stopped.' },
  hours: { monday: ['08:00-18:00'], tuesday: ['08:00-18:00'], sunday: ['10:00-24:00'] },
  holidays: ['2026-12-25'],
}
const LINES = ['Mon–Tue 08:00–18:00', 'Sun 10:00–24:00']

/** Public components of a site with these details. */
async function siteWith(details: Partial<SiteConfig['site']>, openingHours: string[]) {
  vi.resetModules()
  const { provideParts } = await import('../base/site-data.ts')
  const parts = inject('siteParts')
  const { phone: _, emergency: _e, hours: _h, holidays: _d, ...plain } = parts.site.config.site
  const config = { ...parts.site.config, site: { ...plain, ...details } }
  provideParts({ ...parts, site: { ...parts.site, config, openingHours } })
  const [
    { Footer },
    { NavBar },
    { Contact },
    { MessageNotSent },
    lines,
    jsonLd,
    { contactMessages },
  ] = await Promise.all([
    import('#layout/footer.tsx'),
    import('#layout/nav-bar.tsx'),
    import('./contact.tsx'),
    import('./send-failed.tsx'),
    import('#ui/contact-lines.tsx'),
    import('./json-ld.ts'),
    import('#messages/contact.ts'),
  ])
  const userManager = await signInAs(null)
  const draw = (Component: () => React.ReactNode) => {
    const router = createMemoryRouter([{ path: '/', Component }])
    const box = document.createElement('div')
    box.innerHTML = renderToStaticMarkup(
      <AuthProvider userManager={userManager} skipSigninCallback>
        <RouterProvider router={router} />
      </AuthProvider>,
    )
    return box
  }
  return { draw, Footer, NavBar, Contact, MessageNotSent, ...lines, ...jsonLd, contactMessages }
}

const linksIn = (box: Element, kind: 'tel:' | 'mailto:') =>
  [...box.querySelectorAll(`a[href^="${kind}"]`)].map((link) => link.getAttribute('href'))
const PHONE = 'tel:+353209100100'
const EMERGENCY = 'tel:+353209100911'
const MAIL = 'mailto:hello@gatehouse.example'

test('a site’s phone, hours and emergency number are in header, footer, contact page and failure page', async () => {
  const site = await siteWith(DETAILS, LINES)
  const header = site.draw(site.NavBar).querySelector('.header-end .tel')
  expect(header?.getAttribute('href')).toBe(PHONE)
  expect(header?.getAttribute('aria-label')).toBe('Call +353 (0)20 910 0100')
  const footer = site.draw(site.Footer)
  expect(linksIn(footer, 'tel:')).toEqual([PHONE, EMERGENCY])
  expect(linksIn(footer, 'mailto:')).toEqual([MAIL])
  for (const line of [...LINES, 'Day and night, if your work has stopped.'])
    expect(footer.textContent).toContain(line)
  const contact = site.draw(site.Contact)
  const aside = contact.querySelector('aside')
  expect(aside && linksIn(aside, 'tel:')).toEqual([PHONE])
  expect(aside && linksIn(aside, 'mailto:')).toEqual([MAIL])
  expect(aside?.textContent).toContain(LINES.join(''))
  const emergency = contact.querySelector('.for-report')
  expect(emergency && linksIn(emergency, 'tel:')).toEqual([EMERGENCY])
  const failed = site.draw(site.MessageNotSent)
  expect([linksIn(failed, 'mailto:'), linksIn(failed, 'tel:')]).toEqual([[MAIL], [PHONE]])
  expect(linksIn(site.draw(site.ContactLines), 'tel:')).toEqual([PHONE])
  expect(linksIn(site.draw(site.EmergencyLine), 'tel:')).toEqual([EMERGENCY])
})

test('a site without contact details shows no phone, no hours and no empty element', async () => {
  const site = await siteWith({}, [])
  for (const Component of [site.NavBar, site.Footer, site.Contact, site.MessageNotSent]) {
    const box = site.draw(Component)
    expect(linksIn(box, 'tel:')).toEqual([])
    expect(box.querySelector('.tel, .for-report, .contact-lines')).toBeNull()
    expect(box.querySelectorAll('li:empty, p:empty, ul:empty')).toHaveLength(0)
    expect(box.textContent).not.toMatch(/Opening hours|Emergency|call us/)
  }
  expect(linksIn(site.draw(site.Footer), 'mailto:')).toEqual([MAIL])
  expect(isValidElement(site.ContactLines())).toBe(false)
  expect(isValidElement(site.EmergencyLine())).toBe(false)
})

test('the JSON-LD of the firm has telephone and opening hours only if site.json has them', async () => {
  const { firm } = await siteWith(DETAILS, LINES)
  const day = { '@type': 'OpeningHoursSpecification' }
  expect(firm()).toMatchObject({
    telephone: '+353 (0)20 910 0100',
    openingHoursSpecification: [
      { ...day, dayOfWeek: 'Monday', opens: '08:00', closes: '18:00' },
      { ...day, dayOfWeek: 'Tuesday', opens: '08:00', closes: '18:00' },
      { ...day, dayOfWeek: 'Sunday', opens: '10:00', closes: '23:59' },
      {
        ...day,
        validFrom: '2026-12-25',
        validThrough: '2026-12-25',
        opens: '00:00',
        closes: '00:00',
      },
    ],
  })
  const { firm: plainFirm } = await siteWith({}, [])
  expect(plainFirm()).not.toHaveProperty('telephone')
  expect(plainFirm()).not.toHaveProperty('openingHoursSpecification')
})

test('a site’s response time is in working hours only with opening hours', async () => {
  const withHours = await siteWith({ ...DETAILS, responseHours: 8 }, LINES)
  expect(withHours.contactMessages.sentNext(7)).toContain('within 8 working hours.')
  const without = await siteWith({ responseHours: 8 }, [])
  expect(without.contactMessages.sentNext(7)).toContain('within 8 hours.')
})
