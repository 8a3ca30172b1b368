import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { applyRealm } from '../../tools/realm/apply.ts'
import { connectAdminApi } from '../../tools/realm/admin-api.ts'
import {
  homeOf,
  installKeycloak,
  isKeycloakInstalled,
  keycloakProgram,
  createApplier,
} from '../../tools/stack/keycloak.ts'
import { buildServices, createStateDirectory } from '../../tools/stack/stack-services.ts'
import {
  isResponding,
  startBackground,
  stopBackground,
  untilReady,
} from '../../tools/stack/process.ts'
import { freePorts, readSettings, type Settings } from '../../tools/stack/settings.ts'
import { linkTo } from './kit/identity/mail.ts'
import { clientsFor, type IdentityStack } from './kit/identity/stack.ts'
import { report, seconds, type Result } from './kit/results.ts'
import { claimsOf, launchBrowser, trySignIn } from './kit/identity/sign-in.ts'
import { newApp } from './kit/identity/totp.ts'

const OLD = '26.5.6'
/** Realm of the previous release with three accounts; one never confirmed her address. */
const REALM_FILE = new URL('keycloak-26.5.6/gatehouse-realm.json', import.meta.url)
const START_MS = 600_000
const PEOPLE = ['alice', 'bob', 'carol']
const passwordOf = (username: string) => `${username}-demo-password`

/** Upgrades a Keycloak with accounts to this release's version; no account may be lost. */
export async function keycloakUpgrade() {
  const started = Date.now()
  if (!isKeycloakInstalled(OLD)) installKeycloak(OLD)
  const settings = readSettings({
    ...(await freePorts()),
    SIGN_IN_RETURN_URL: 'state',
    ADMIN_MFA: 'on',
  })
  createStateDirectory(settings)
  const parts = buildServices(settings)
  try {
    await Promise.all([parts.postgres.start(), parts.mail.start(), parts.identity.start()])
    const before = await withOld(settings)
    const program = { name: 'keycloak', state: settings.state }
    startBackground(program, keycloakProgram(settings))
    await untilReady(program, { isReady: () => isUp(settings), timeoutMs: START_MS })
    // As in docs/operating.md.
    await createApplier(settings)
    const stack = clientsFor(settings)
    return report(
      'keycloak-upgrade',
      [...(await applied(stack)), ...(await asBefore(stack, before))],
      `all in ${seconds(started)} s`,
    )
  } finally {
    await Promise.all([parts.keycloak.stop(), parts.identity.stop(), parts.mail.stop()])
    await parts.postgres.stop()
    rmSync(settings.state, { recursive: true, force: true })
  }
}

type Action = { alias: string; enabled: boolean; config?: { max_auth_age?: string } }

const isUp = ({ identityAdmin }: Settings) =>
  isResponding(`${identityAdmin}/realms/gatehouse/.well-known/openid-configuration`)

/** Ids by account, from their first tokens. */
async function withOld(settings: Settings) {
  const folder = join(homeOf(OLD), 'data/import')
  mkdirSync(folder, { recursive: true })
  cpSync(REALM_FILE, join(folder, 'gatehouse-realm.json'))
  const { args, env, ...program } = keycloakProgram(settings, OLD)
  const { KC_BOOTSTRAP_ADMIN_CLIENT_ID: _id, KC_BOOTSTRAP_ADMIN_CLIENT_SECRET: _, ...then } = env
  const old = { name: 'keycloak', state: settings.state }
  startBackground(old, {
    ...program,
    args: [...args, '--import-realm'],
    // As in the previous release: an administrator with a password, no account that applies the realm.
    env: {
      ...then,
      KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
      KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin',
      SITE_NAME: 'Gatehouse',
    },
  })
  await untilReady(old, { isReady: () => isUp(settings), timeoutMs: START_MS })
  const subs = new Map<string, string>()
  for (const username of PEOPLE) {
    const { token } = await trySignIn(personOf(clientsFor(settings), username))
    subs.set(username, String(claimsOf(token).sub))
  }
  await stopBackground(old)
  return subs
}

async function applied({ options, api }: IdentityStack): Promise<Result[]> {
  const begun = Date.now()
  await applyRealm(api, options)
  const first = api.changes.length
  const again = connectAdminApi(options)
  await applyRealm(again, options)
  const { actionTokenGeneratedByAdminLifespan: invitation } = await again.read('')
  const actions = await again.read<Action[]>('/authentication/required-actions')
  const open = actions.filter(({ enabled, config }) => enabled && config?.max_auth_age !== '0')
  return [
    {
      title: 'the realm is applied',
      isRight: first > 0,
      figure: `${first} changes, ${seconds(begun)} s`,
    },
    {
      title: 'a second apply changes nothing',
      isRight: again.changes.length === 0,
      figure: again.changes.join('; ') || 'nothing to change',
    },
    {
      title: 'an invitation is valid for 72 hours',
      isRight: invitation === 72 * 3_600,
      figure: `${Number(invitation) / 3_600} h`,
    },
    {
      title: 'every required action starts with a sign-in',
      isRight: open.length === 0,
      figure: open.map(({ alias }) => alias).join(', ') || `${actions.length} actions`,
    },
  ]
}

async function asBefore(stack: IdentityStack, subs: Map<string, string>): Promise<Result[]> {
  const asked = { more: { acr_values: 'mfa' } }
  const bob = claimsOf((await trySignIn({ ...personOf(stack, 'bob'), ...asked })).token)
  const app = newApp()
  const alice = claimsOf((await trySignIn({ ...personOf(stack, 'alice'), ...asked, app })).token)
  const carol = await confirm(stack)
  const same = (name: string, { sub }: { sub?: string }) => sub === subs.get(name)
  return [
    {
      title: 'a client signs in as before',
      isRight: same('bob', bob) && bob.role === 'user',
      figure: JSON.stringify({ role: bob.role, acr: bob.acr }),
    },
    {
      title: 'an admin sets up a factor and is an owner',
      isRight: same('alice', alice) && alice.acr === 'mfa' && alice.owner === true,
      figure: JSON.stringify({ role: alice.role, owner: alice.owner, acr: alice.acr }),
    },
    {
      title: 'an unconfirmed account confirms and signs in',
      isRight: same('carol', carol) && carol.email_verified === true,
      figure: JSON.stringify({ role: carol.role, email_verified: carol.email_verified }),
    },
  ]
}

async function confirm(stack: IdentityStack) {
  const { username, password, ...site } = personOf(stack, 'carol')
  const browser = launchBrowser(site)
  const page = await browser.submit(await browser.begin(), { username, password })
  if (!page.body.includes('VERIFY_EMAIL')) return {}
  const { token } = await browser.end(await browser.go(await linkTo(stack, 'carol@example.test')))
  return claimsOf(token)
}

const personOf = (stack: IdentityStack, username: string) => ({
  ...stack.at('127.0.0.1'),
  username,
  password: passwordOf(username),
})
