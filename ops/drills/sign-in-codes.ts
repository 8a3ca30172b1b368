import { linkTo } from './kit/identity/mail.ts'
import { launchBrowser, trySignIn } from './kit/identity/sign-in.ts'
import type { IdentityStack } from './kit/identity/stack.ts'
import { newApp, type App } from './kit/identity/totp.ts'
import type { Result } from './kit/results.ts'
import { asService } from './sign-in-rights.ts'

const OWNER = { username: 'admin-3', password: 'admin-3-demo-password' }
const NEW_PASSWORD = 'another horse battery 9'
const THIEVES = 10
/** Ten wrong codes, the one that disables the account, and those in flight. */
const TRIES_MAX = 11 + THIEVES

type Size = { isShort: boolean }

/** Counts the codes a thief can try with a stolen password from 100 addresses, then recovers the account. */
export async function guessCodes(stack: IdentityStack, { isShort }: Size): Promise<Result[]> {
  const app = newApp()
  const home = stack.at('127.0.0.7')
  await trySignIn({ ...home, ...OWNER, app, more: { acr_values: 'mfa' } })
  const codes = isShort ? 200 : 1_000
  const { tried, refused } = await tryCodes(stack, codes)
  const id = await idOf(stack)
  const { enabled } = await stack.api.read<{ enabled: boolean }>(`/users/${id}`)
  const opened = await openAgain(stack, id)
  const stolen = await trySignIn({ ...stack.at('127.0.0.8'), ...OWNER, app })
  const isIn = await resetWith(stack, app)
  return [
    {
      title: 'codes guessed with a stolen password',
      isRight: tried <= TRIES_MAX && !enabled,
      figure: `${tried} of ${codes} checked, ${refused} rejected; the account is ${enabled ? 'enabled' : 'disabled'}`,
    },
    {
      title: 'enabled by the API, the stolen password fails and the owner resets it',
      isRight: opened && !stolen.token.access_token && isIn,
      figure: `enabled ${opened}, thief signed in ${Boolean(stolen.token.access_token)}, owner signed in ${isIn}`,
    },
  ]
}

/** Each thief enters the password before the first code, and again when a page accepts no more codes. */
async function tryCodes(stack: IdentityStack, codes: number) {
  const counts = { sent: 0, tried: 0, refused: 0 }
  const thief = async (index: number) => {
    for (let turn = 0; counts.sent < codes; turn++) {
      const address = `127.0.3.${1 + ((index + turn * THIEVES) % 100)}`
      const browser = launchBrowser(stack.at(address))
      let page = await browser.submit(await browser.begin(), OWNER)
      if (!isCodePage(page.body)) {
        counts.sent++
        counts.refused++
        continue
      }
      while (isCodePage(page.body) && counts.sent < codes) {
        page = await browser.submit(page, { otp: String(100_000 + counts.sent++) })
        counts[isCodePage(page.body) ? 'tried' : 'refused']++
      }
    }
  }
  await Promise.all(Array.from({ length: THIEVES }, (_, index) => thief(index)))
  return counts
}

const isCodePage = (body: string) => body.includes('name="otp"')

async function idOf({ api }: IdentityStack) {
  const [user] = await api.read<{ id: string }[]>(`/users?exact=true&username=${OWNER.username}`)
  return user?.id ?? ''
}

/** Deletes the stolen password, which resets Keycloak's count of failures. */
async function openAgain(stack: IdentityStack, id: string) {
  const ask = await asService(stack)
  const all = await stack.api.read<{ id: string; type: string }[]>(`/users/${id}/credentials`)
  const password = all.find(({ type }) => type === 'password')
  const statuses = [
    await ask('DELETE', `/users/${id}/credentials/${password?.id}`),
    await ask('PUT', `/users/${id}`, {
      ...(await stack.api.read(`/users/${id}`)),
      enabled: true,
    }),
  ]
  return statuses.every((status) => status < 300)
}

async function resetWith(stack: IdentityStack, app: App) {
  const browser = launchBrowser(stack.at('127.0.0.9'))
  await browser.begin()
  const form = await browser.go(
    `${stack.settings.issuer}/login-actions/reset-credentials?client_id=gatehouse-web`,
  )
  await browser.submit(form, { username: OWNER.username })
  const asked = await browser.go(await linkTo(stack, `${OWNER.username}@example.test`))
  const { page } = await browser.end(asked, app)
  const fields = { 'password-new': NEW_PASSWORD, 'password-confirm': NEW_PASSWORD }
  await browser.submit(page, fields)
  // The reset ends with a page, not a token.
  const again = { ...stack.at('127.0.0.9'), username: OWNER.username, password: NEW_PASSWORD, app }
  return Boolean((await trySignIn(again)).token.access_token)
}
