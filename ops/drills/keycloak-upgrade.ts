import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
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
const WITH_FACTOR = 'alice'
const PEOPLE = ['alice', 'bob', 'carol']
/** Who people are and what they sign in with. Their sessions, and what the realm declares, change with each start. */
const TABLES = {
  user_entity: 'id',
  user_attribute: 'id',
  user_role_mapping: 'user_id, role_id',
  credential: 'id',
}
const passwordOf = (username: string) => `${username}-demo-password`

/** Upgrades a Keycloak with accounts to this release's version; no account or factor may be lost. */
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
    const rows = await equalRows(settings, before.rows)
    // As in docs/operating.md.
    await createApplier(settings)
    const stack = clientsFor(settings)
    return report(
      'keycloak-upgrade',
      [...rows, ...(await applied(stack)), ...(await asBefore(stack, before))],
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

/** Ids by account, from their first tokens; the factor of one; and the rows of all. */
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
  const app = newApp()
  const person = personOf(clientsFor(settings), WITH_FACTOR)
  await trySignIn({ ...person, more: { kc_action: 'CONFIGURE_TOTP' }, app })
  if (!app.secret) throw new Error(`${OLD} set up no factor`)
  await stopBackground(old)
  return { subs, app, rows: await rowsOf(settings) }
}

type Rows = { [table: string]: { columns: string[]; rows: string } }

/** As of `before`, a table's columns are those of then: a later release may add some. */
async function rowsOf(settings: Settings, before?: Rows): Promise<Rows> {
  const db = new pg.Client(settings.databaseUrl('postgres', 'keycloak'))
  await db.connect()
  try {
    const found: Rows = {}
    for (const [table, order] of Object.entries(TABLES)) {
      const columns = before?.[table]?.columns ?? (await columnsOf(db, table))
      const { rows } = await db.query({
        text: `select ${columns.join(', ')} from ${table} order by ${order}`,
        rowMode: 'array',
      })
      found[table] = { columns, rows: JSON.stringify(rows) }
    }
    return found
  } finally {
    await db.end()
  }
}

async function columnsOf(db: pg.Client, table: string) {
  const { rows } = await db.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  )
  return rows.map((row) => row.column_name)
}

async function equalRows(settings: Settings, before: Rows): Promise<Result[]> {
  const after = await rowsOf(settings, before)
  return Object.entries(before).map(([table, { rows }]) => ({
    title: `rows of ${table} are equal`,
    isRight: rows !== '[]' && after[table]?.rows === rows,
    figure:
      after[table]?.rows === rows
        ? `${(JSON.parse(rows) as unknown[]).length} rows`
        : `${rows}, then ${after[table]?.rows}`,
  }))
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

type Before = Awaited<ReturnType<typeof withOld>>

async function asBefore(stack: IdentityStack, { subs, app }: Before): Promise<Result[]> {
  const asked = { more: { acr_values: 'mfa' } }
  const bob = claimsOf((await trySignIn({ ...personOf(stack, 'bob'), ...asked })).token)
  const secret = app.secret
  const alice = claimsOf(
    (await trySignIn({ ...personOf(stack, WITH_FACTOR), ...asked, app })).token,
  )
  const carol = await confirm(stack)
  const same = (name: string, { sub }: { sub?: string }) => sub === subs.get(name)
  return [
    {
      title: 'a client signs in as before',
      isRight: same('bob', bob) && bob.role === 'user',
      figure: JSON.stringify({ role: bob.role, acr: bob.acr }),
    },
    {
      title: 'an admin signs in with the factor from before and is an owner',
      isRight:
        same(WITH_FACTOR, alice) &&
        alice.acr === 'mfa' &&
        alice.owner === true &&
        app.secret === secret,
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
