import type { Browser, Page } from '@playwright/test'
import {
  KINDS,
  mayDo,
  MODELS,
  nameOf,
  titleOf,
  type Action,
  type SpecField,
  type SpecModel,
  type Role,
} from './spec-only-models.ts'
import { addressOf, serveSpecOnly, type Call } from './spec-only-server.ts'
import {
  expect,
  navigate,
  signInAndOpen,
  REALM,
  saveButton,
  signIn,
  SITE,
  storedUser,
  test,
} from './kit.ts'

/**
 * The specification read literally: definitions in session storage, a server with only section 7, and every page, text and call,
 * for each role.
 */
const NOWHERE = { authority: 'http://localhost:1/nowhere', clientId: 'none' }
const CLIENT = { authority: REALM, clientId: 'gatehouse-web' }
const SHARES = 3

type Foreign = Awaited<ReturnType<typeof serveSpecOnly>>
type Environment = { page: Page; role: Role; foreign: Foreign }
type Account = Parameters<typeof signIn>[1]

test.setTimeout(240_000)

for (const role of ['anonymous', 'user', 'admin'] as const)
  for (let share = 0; share < SHARES; share++)
    test(`[DYN-01] [DYN-02] [DYN-03] [DYN-04] [DYN-07] [DYN-10] [DYN-11] [DYN-12] [DYN-15] [NAV-02] [NAV-03] [PERM-02] [PERM-03] [PERM-04] [API-01] [API-02] [API-03] [API-04] [API-05] thirty foreign definitions work as specified for ${role} (${share + 1} of ${SHARES})`, async ({
      page,
      browser,
      user,
      admin,
      complaints,
    }) => {
      const foreign = await serveSpecOnly(MODELS, role === 'anonymous' ? NOWHERE : CLIENT)
      const env = { page, role, foreign }
      await bring(page, browser, role === 'anonymous' ? null : { user, admin }[role])
      await page.goto(foreign.base)
      await seesMenu(env)
      for (const model of MODELS.filter((_, index) => index % SHARES === share))
        await test.step(model.definition.path, () => lifeOf(env, model))
      expect(foreign.calls.filter((call) => !isSpecified(call))).toEqual([])
      // The provider doesn't know this origin, and the browser logs its rejections.
      expect(complaints.filter((one) => !one.includes('Failed to load resource'))).toEqual([])
      foreign.stop()
    })

async function lifeOf(stage: Environment, model: SpecModel) {
  const { page, role, foreign } = stage
  const { definition, record } = model
  const list = `/${encodeURI(definition.path.toLowerCase())}`
  const id = encodeURIComponent(record.id)
  const visits: [Action, string, () => Promise<void>][] = [
    ['list', list, () => lists(stage, model)],
    ['get', `${list}/${id}`, () => shows(stage, model)],
    ['create', `${list}/create`, () => creates(stage, model)],
    ['update', `${list}/edit/${id}`, () => edits(stage, model)],
    ['delete', `${list}/delete/${id}`, () => deletes(stage, model)],
  ]
  for (const [action, address, visit] of visits)
    await test.step(action, async () => {
      await navigate(page, address)
      if (mayDo(role, model, action)) return visit()
      await expect(page).toHaveURL(foreign.base + redirectFor(role, address))
    })
}

const redirectFor = (role: Role, address: string) =>
  role === 'anonymous' ? `/login?returnUrl=${encodeURIComponent(address)}` : '/unauthorised'

/** Expects the next page, or the redirect of a visitor without access. */
async function expectPage(
  { page, role, foreign }: Environment,
  model: SpecModel,
  action: Action,
  at: string,
) {
  const address = mayDo(role, model, action) ? at : redirectFor(role, at)
  await expect(page).toHaveURL(foreign.base + address)
}

async function lists({ page, foreign }: Environment, model: SpecModel) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(titleOf(model))
  await expect(page.getByRole('link', { name: displayOf(model), exact: true })).toHaveAttribute(
    'href',
    `/${model.definition.path.toLowerCase()}/${encodeURIComponent(model.record.id)}`,
  )
  await hidesSecrets(page)
  expect(foreign.calls.at(-1)).toEqual({
    method: 'GET',
    path: addressOf(model.definition.routeName),
    body: undefined,
  })
}

async function shows({ page, foreign }: Environment, model: SpecModel) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(displayOf(model))
  await expect(page.locator('.props dt')).toHaveText(visibleLabels(model))
  await hidesSecrets(page)
  expect(foreign.calls.at(-1)?.path).toBe(addressOf(model.definition.path, model.record.id))
}

async function creates(stage: Environment, model: SpecModel) {
  const { page, foreign } = stage
  const fields = model.definition.viewData.fields
  await expect(input(page, 'label')).toHaveValue(String(fields[0]?.default))
  await fill(page, fields, 'Made')
  await saveButton(page).click()
  const x = model.definition.viewData.displayField ? 'Made' : String(model.nextId)
  await expectToast(page, `${nameOf(model)} (${x}) created Successfully`)
  await expectPage(stage, model, 'list', listOf(model))
  expect(foreign.calls.findLast(({ method }) => method === 'POST')).toEqual({
    method: 'POST',
    path: addressOf(model.definition.routeName),
    body: bodyOf(fields, 'Made', (field) => field.default),
  })
}

async function edits(stage: Environment, model: SpecModel) {
  const { page, foreign } = stage
  const { definition, record } = model
  const fields = definition.viewData.fields
  await expect(input(page, 'label')).toHaveValue(String(record['label']))
  await fill(page, fields, 'Changed')
  await saveButton(page).click()
  const x = definition.viewData.displayField ? 'Changed' : String(record.id)
  await expectToast(page, `${nameOf(model)} (${x}) updated Successfully`)
  await expectPage(stage, model, 'get', `${listOf(model)}/${encodeURIComponent(record.id)}`)
  expect(foreign.calls.findLast(({ method }) => method === 'PUT')).toEqual({
    method: 'PUT',
    path: addressOf(definition.routeName, record.id),
    body: bodyOf(fields, 'Changed', (field) => record[field.name]),
  })
}

async function deletes(stage: Environment, model: SpecModel) {
  const { page, foreign } = stage
  const { definition, record } = model
  const main = page.getByRole('main')
  await expect(main.locator('.props dt')).toHaveText(visibleLabels(model))
  await expect(main).not.toContainText(/trash|restore/i)
  await hidesSecrets(page)
  const label = foreign.recordsOf(model).find(({ id }) => id === record.id)?.['label']
  const x = String(definition.viewData.displayField ? label : record.id)
  await main.getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, `${nameOf(model)} (${x}) deleted Successfully`)
  await expectPage(stage, model, 'list', listOf(model))
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  expect(foreign.calls.findLast(({ method }) => method === 'DELETE')).toEqual({
    method: 'DELETE',
    path: addressOf(definition.routeName, record.id),
    body: undefined,
  })
}

/** Links show title and name; the accessible name of a list starts with "List". */
async function seesMenu({ page, role }: Environment) {
  await page.getByRole('button', { name: 'Records' }).click()
  const links = page.locator('.dropdown-menu a')
  await expect(links.first()).toBeVisible()
  const seen = await links.evaluateAll((all) =>
    all.map((link) => [
      link.textContent,
      link.getAttribute('aria-label'),
      link.getAttribute('href'),
    ]),
  )
  const expected = MODELS.flatMap((model) => [
    ...(mayDo(role, model, 'list')
      ? [[titleOf(model), `List ${titleOf(model)}`, listOf(model)]]
      : []),
    ...(mayDo(role, model, 'create')
      ? [[`Create ${inSentence(nameOf(model))}`, null, `${listOf(model)}/create`]]
      : []),
  ])
  expect(
    seen.map(([text, label, href]) => [text, label, encodeURI(decodeURI(href ?? ''))]),
  ).toEqual(expected)
  await page.keyboard.press('Escape')
}

const inSentence = (name: string) =>
  /^.\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)

const listOf = ({ definition }: SpecModel) => `/${encodeURI(definition.path.toLowerCase())}`

const displayOf = ({ definition, record }: SpecModel) =>
  String(definition.viewData.displayField ? record['label'] : record.id)

const visibleLabels = ({ definition }: SpecModel) =>
  definition.viewData.fields
    .filter(({ type }) => type !== 'password' && type !== 'hidden')
    .map(({ name, label }) => label ?? name)

const hidesSecrets = (page: Page) =>
  expect(page.getByRole('main')).not.toContainText(/secret-of|Origin|The password/)

/** Expects a toast, then closes it to tell the next one apart. */
async function expectToast(page: Page, message: string | RegExp) {
  const toast = page.locator('.toast-message')
  await expect(toast).toHaveText(message)
  await page.locator('.toasts').getByRole('button', { name: 'Close' }).click()
  await expect(toast).toHaveCount(0)
}

const input = (page: Page, name: string) => page.locator(`[id="field-${name}"]`)

async function fill(page: Page, fields: SpecField[], label: string) {
  await input(page, 'label').fill(label)
  for (const { name, type } of fields.slice(1)) {
    if (type === 'hidden') {
      await expect(input(page, name)).toBeHidden()
      continue
    }
    const { typed } = KINDS[type] ?? { typed: '' }
    if (type === 'password') await expect(input(page, name)).toHaveAttribute('type', 'password')
    if (typed === true) await input(page, name).check()
    else if (type === 'select') await input(page, name).selectOption(String(typed))
    else if (type === 'radio') await input(page, name).getByLabel(String(typed)).check()
    else await input(page, name).fill(String(typed))
  }
}

const bodyOf = (fields: SpecField[], label: string, hidden: (field: SpecField) => unknown) =>
  Object.fromEntries(
    fields.map((field, place) => [
      field.name,
      place === 0 ? label : field.type === 'hidden' ? hidden(field) : KINDS[field.type]?.sent,
    ]),
  )

/** Whether section 7 specifies the call. */
const isSpecified = ({ method, path }: Call) =>
  MODELS.some(({ definition }) => {
    const collection = addressOf(definition.routeName)
    const isOne = (name: string) => path.startsWith(`${addressOf(name)}/`)
    if (method === 'GET') return path === collection || isOne(definition.path)
    if (method === 'POST') return path === collection
    return ['PUT', 'DELETE'].includes(method) && isOne(definition.routeName)
  })

type StoredUser = { key: string; expires_at: number }
const signedIn = new Map<string, StoredUser>()
/** Tokens expire after five minutes and can't be renewed at an origin unknown to the provider. */
const LIFE_LEFT_S = 240

/** Stores the definitions and, if signed in, the user from the real identity provider. */
async function bring(page: Page, browser: Browser, account: Account | null) {
  const user = account && (await userOf(browser, account))
  await page.addInitScript(
    ([definitions, key, stored]) => {
      if (sessionStorage.getItem('dynamicRoutes')) return
      sessionStorage.setItem('dynamicRoutes', definitions)
      if (key) sessionStorage.setItem(key, stored)
    },
    [
      JSON.stringify(MODELS.map(({ definition }) => definition)),
      user?.key ?? '',
      JSON.stringify(user),
    ] as const,
  )
}

async function userOf(browser: Browser, account: Account) {
  const cached = signedIn.get(account.username)
  if (cached && cached.expires_at - Date.now() / 1000 > LIFE_LEFT_S) return cached
  const page = await (await browser.newContext({ baseURL: SITE })).newPage()
  await signInAndOpen(page, account)
  const user = (await storedUser(page)) as StoredUser | null
  await page.context().close()
  if (!user) throw new Error(`${account.username} is not signed in`)
  signedIn.set(account.username, user)
  return user
}
