import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const TOP = new URL('../..', import.meta.url).pathname
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-theme-'))
afterAll(() => rmSync(directory, { recursive: true }))

const LOGO = '<svg viewBox="0 0 120 40"><path d="M0 0h120v40z"/></svg>'
const NIGHT_LOGO = '<svg viewBox="0 0 120 40"><path d="M1 1h118v38z"/></svg>'

function themeOf(name: string, change: (config: SiteFile) => void) {
  const site = join(directory, name)
  mkdirSync(site)
  cpSync(join(TOP, 'sample'), site, { recursive: true })
  writeFileSync(join(site, 'logo.svg'), LOGO)
  writeFileSync(join(site, 'night.svg'), NIGHT_LOGO)
  const file = join(site, 'site.json')
  const config = JSON.parse(readFileSync(file, 'utf8')) as SiteFile
  change(config)
  writeFileSync(file, JSON.stringify(config))
  execFileSync(
    process.execPath,
    [join(TOP, 'web/keycloak/write-theme.ts'), join(directory, `${name}-themes`)],
    {
      env: { ...process.env, SITE_DIR: site },
    },
  )
  const theme = join(directory, `${name}-themes/gatehouse`)
  return { theme, read: (path: string) => readFileSync(join(theme, path), 'utf8') }
}
type SiteFile = {
  site: { name: string; phone?: string; hours?: object }
  owner: { email: string }
  brand: { colours: object | null; logo: object | null }
}

const { theme: DRAWN, read } = themeOf('drawn', () => {})

test('a provider’s name, address, colours and logo reach Keycloak’s pages, the account pages and the mails', () => {
  const own = themeOf('own', ({ site, owner, brand }) => {
    site.name = 'Harbour & Sons'
    owner.email = 'desk@harbour.example'
    brand.colours = { light: '#7a1f5c', dark: '#f0b3dc' }
    brand.logo = { light: 'logo.svg', dark: 'night.svg', hasName: true }
  })
  for (const kind of ['login', 'account']) {
    const sheet = own.read(`${kind}/resources/css/gatehouse.css`)
    expect(sheet).toContain('--gh-brand: #7a1f5c')
    expect(sheet).toContain('--gh-brand: #f0b3dc')
    // The logo is 26 px high.
    expect(sheet).toContain('--gh-logo-width: 78px')
    expect(own.read(`${kind}/resources/img/logo-light.svg`)).toBe(LOGO)
    expect(own.read(`${kind}/resources/img/logo-dark.svg`)).toBe(NIGHT_LOGO)
  }
  expect(own.read('login/theme.properties')).toContain('ghMail=desk@harbour.example')
  expect(own.read('account/resources/css/gatehouse.css')).toContain("--gh-name: ''")
  const mail = own.read('email/html/template.ftl')
  expect(mail).toContain('Harbour &#38; Sons')
  expect(mail).toContain('background: #7a1f5c')
  expect(mail).toContain('background: #f0b3dc')
  expect(own.read('email/messages/messages_en.properties')).toContain('desk@harbour.example')
})

test('phone and opening hours reach the sign-in pages and the mails of Keycloak, as text and as HTML', () => {
  const own = themeOf('called', ({ site }) => {
    site.phone = '+353 (0)20 910 0100'
    site.hours = { monday: ['08:00-18:00'], tuesday: ['08:00-18:00'] }
  })
  const link = '<a href="tel:+353209100100"'
  const hours = '(Mon–Tue 08:00–18:00)'
  expect(own.read('login/footer.ftl')).toContain(
    `<#if "+353 (0)20 910 0100"?has_content><p>\${msg("ghCall")} ${link}>+353 (0)20 910 0100</a> ${hours}</p></#if>`,
  )
  expect(own.read('login/messages/messages_en.properties')).toMatch(/^ghCall=Or call$/m)
  const html = own.read('email/html/template.ftl')
  expect(html).toContain('<#if "+353 (0)20 910 0100"?has_content> ${msg("ghOrCall")} ')
  expect(html).toContain(link)
  expect(html).toContain(`+353 (0)20 910 0100</a> ${hours}`)
  const bodies = own
    .read('email/messages/messages_en.properties')
    .split('\n')
    .filter((line) => /^\w+Body=/.test(line))
  expect(bodies.length).toBeGreaterThan(10)
  for (const body of bodies)
    expect(body).toMatch(/ Email \S+@\S+ or call \+353 \(0\)20 910 0100 \(Mon–Tue 08:00–18:00\)$/)
})

test('a site without contact details has no phone line in the Keycloak theme', () => {
  const own = themeOf('silent', ({ site }) => {
    delete site.phone
    delete site.hours
  })
  expect(own.read('login/footer.ftl')).toContain('<#if ""?has_content>')
  expect(own.read('email/html/template.ftl')).toContain('<#if ""?has_content>')
  expect(own.read('email/messages/messages_en.properties')).not.toContain('or call +')
  expect(own.read('email/messages/messages_en.properties')).toMatch(/Email \S+@[\w.]+$/m)
})

test('without a brand, the Keycloak theme uses the default colours and shows the site’s name beside the logo', () => {
  const sheet = read('account/resources/css/gatehouse.css')
  expect(sheet).toContain('--gh-brand: #0f5244')
  expect(sheet).toContain('--gh-name: "Gatehouse"')
  expect(read('login/resources/img/logo-light.svg')).toContain('#13211c')
})

test('the Keycloak stylesheets select the theme by Keycloak’s classes, and no placeholder is left in any file', () => {
  expect(read('login/resources/css/gatehouse.css')).toContain('.gh-dark{')
  expect(read('account/resources/css/gatehouse.css')).toContain('.pf-v5-theme-dark{')
  for (const file of textsOf(DRAWN)) {
    expect(file.text, file.name).not.toContain('data-bs-theme')
    expect(file.text, file.name).not.toMatch(/@[a-z\d-]+@/)
  }
})

test('the Keycloak theme copies no page: it overrides only the footer and two page fragments', () => {
  const parts = readdirSync(join(DRAWN, 'login')).filter((name) => name.endsWith('.ftl'))
  expect(parts).toEqual(['footer.ftl', 'password-commons.ftl', 'password-validation.ftl'])
})

test('no text of the Keycloak theme has an apostrophe, which Java’s message format would drop', () => {
  const texts = textsOf(DRAWN)
    .filter(({ name }) => /messages_en\.properties$|\.ftl$/.test(name))
    .map(({ name, text }) => ({ where: name, texts: text.split('\n') }))
  expect(texts.length).toBeGreaterThan(5)
  for (const { where, texts: lines } of texts.filter((one) => one.where.endsWith('.properties')))
    expect(
      lines.filter((line) => line.includes("'")),
      where,
    ).toEqual([])
})

test('every Keycloak mail exists as text and as HTML, with the same link', () => {
  const messages = Object.fromEntries(
    read('email/messages/messages_en.properties')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const subjects = Object.keys(messages).filter((key) => key.endsWith('Subject'))
  expect(subjects.length).toBeGreaterThan(10)
  for (const subject of subjects) {
    const key = subject.slice(0, -'Subject'.length)
    const html = messages[`${key}BodyHtml`] ?? messages[`${key}Html`] ?? ''
    expect(html, key).toMatch(/^<p>/)
    expect(messages[`${key}Body`]?.includes(String.raw`\n{0}\n`), key).toBe(
      html.includes('<a href="{0}">'),
    )
  }
})

function textsOf(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ftl|properties|css|js|svg)$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

test('a mail about a changed credential links to the security page, never to a password reset', () => {
  const properties = read('email/theme.properties')
  expect(properties).toContain('ghNotMe=${env.SITE_URL:https://gatehouse.example}/security#not-me')
  const messages = read('email/messages/messages_en.properties')
  for (const [key, template] of [
    ['eventUpdateCredential', 'event-update_credential'],
    ['eventRemoveCredential', 'event-remove_credential'],
  ] as const) {
    expect(messages).toMatch(new RegExp(`^${key}Body=.*\\{3\\}.*@`, 'm'))
    expect(messages).toMatch(new RegExp(`^${key}BodyHtml=.*<a href="\\{3\\}">`, 'm'))
    for (const kind of ['text', 'html'])
      expect(read(`email/${kind}/${template}.ftl`)).toContain('properties.ghNotMe')
  }
  // A reset requires the second factor, which may be the attacker’s.
  expect(messages).not.toMatch(/^event(Update|Remove).*reset your password/m)
})

test('the page that asks for the password again says why', () => {
  expect(read('login/footer.ftl')).toContain('pageId == "login-password"')
  expect(read('login/messages/messages_en.properties')).toMatch(/^ghSetUpNext=.*password.*$/m)
})

test('the password page shows the rule and signs out other sessions; the footer says what to do about a lost phone', () => {
  expect(read('login/password-commons.ftl')).toContain('value=(pageId == "login-update-password")')
  expect(read('login/password-validation.ftl')).toContain('invalidPasswordMinLengthMessage')
  expect(read('login/footer.ftl')).toContain('ghLostPhone')
  expect(read('login/messages/messages_en.properties')).toMatch(/^ghLostPhone=.+@.+\.$/m)
})
