import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildUser, signInAs } from '../../test/kit.tsx'
import { signOut } from '#auth/auth.ts'
import { allSignInDrafts } from './sign-in-drafts.ts'
import {
  migrateInternalDrafts,
  saveSignInDrafts,
  claimDrafts,
  isSentInOtherTab,
  setSignInDraftSent,
  restoreSignInDrafts,
} from './drafts.ts'
import { loadSignIn } from '#auth/sign-in.tsx'

const OF_ALICE = [
  'contactDraft:alice',
  'answerDraft:alice:ticket-1',
  'noteDraft:alice:ticket-1',
  'recordDraft:alice:services/1',
]
const drafts = () => Object.keys(sessionStorage).filter((key) => key.includes('Draft:'))

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  for (const key of [...OF_ALICE, 'themeMode']) sessionStorage.setItem(key, 'typed')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('drafts survive a new sign-in of their author only', () => {
  claimDrafts('alice')
  expect(drafts().toSorted()).toEqual(OF_ALICE.toSorted())
  claimDrafts('carol')
  expect(drafts()).toEqual([])
  expect(sessionStorage.getItem('themeMode')).toBe('typed')
})

test('an account whose ID is a prefix of another’s does not get its drafts', () => {
  claimDrafts('ali')
  expect(drafts()).toEqual([])
})

test('a draft without an owner is dropped', () => {
  sessionStorage.setItem('answerDraft:ticket-1', 'typed')
  claimDrafts('alice')
  expect(drafts()).not.toContain('answerDraft:ticket-1')
})

test('an old draft ticked internal becomes a note of the signed-in user only', () => {
  sessionStorage.clear()
  const old = () => {
    sessionStorage.setItem('answerDraft:ticket-1', '{"body":"Ticked before","internal":true}')
    sessionStorage.setItem('answerDraft:ticket-2', '{"body":"Not ticked","internal":false}')
  }
  old()
  claimDrafts('carol')
  expect(drafts()).toEqual([])
  old()
  migrateInternalDrafts('alice')
  claimDrafts('alice')
  expect(drafts()).toEqual(['noteDraft:alice:ticket-1'])
  expect(sessionStorage.getItem('noteDraft:alice:ticket-1')).toBe('{"note":"Ticked before"}')
})

test('text typed before signing in belongs to the account that signs in', () => {
  for (const kind of ['contactDraft', 'inquiryDraft'])
    sessionStorage.setItem(`${kind}:`, 'typed signed out')
  claimDrafts('carol')
  expect(drafts()).toEqual(['contactDraft:carol', 'inquiryDraft:carol'])
  expect(sessionStorage.getItem('contactDraft:carol')).toBe('typed signed out')
  claimDrafts('dave')
  expect(drafts()).toEqual([])
})

test('Logout deletes all drafts', async () => {
  const manager = await signInAs('admin', { sub: 'alice' })
  vi.spyOn(manager, 'signoutRedirect').mockResolvedValue()
  for (const key of [...OF_ALICE, 'contactDraft:', 'inquiryDraft:'])
    sessionStorage.setItem(key, 'typed')
  await signOut('/')
  expect(drafts()).toEqual([])
})

test('a sign-in and an expired session are each reported once, a renewal never', async () => {
  const onPerson = vi.fn<() => void>()
  vi.stubGlobal('fetch', async () =>
    Response.json({ authority: 'https://id.test/realms/gatehouse', clientId: 'gatehouse-web' }),
  )
  const manager = await loadSignIn({
    openedAt: '/',
    onPerson,
    onDraft: () => {},
    onSessionEnd: () => {},
    onRenewFailed: () => {},
  })
  sessionStorage.setItem('answerDraft:alice:ticket-1', 'typed')
  const signIn = async (sub: string) => {
    const user = buildUser({ sub })
    await manager.storeUser(user)
    await manager.events.load(user)
  }
  await signIn('alice')
  expect(onPerson).toHaveBeenCalledTimes(1)
  await signIn('alice')
  expect(onPerson).toHaveBeenCalledTimes(1)
  expect(drafts()).toContain('answerDraft:alice:ticket-1')
  await manager.removeUser()
  expect(onPerson).toHaveBeenCalledTimes(2)
  expect(drafts()).toContain('answerDraft:alice:ticket-1')
  await signIn('carol')
  expect(drafts()).toEqual([])
})

describe('a draft typed before registering', () => {
  const ANN = { sub: 'ann', email: 'ann@client.test', email_verified: true }
  const typed = () => JSON.parse(sessionStorage.getItem('contactDraft:ann') ?? '{}') as object

  function typeAndCloseTab() {
    sessionStorage.setItem('contactDraft:', '{"email":"Ann@client.test","message":"Smoke"}')
    const id = saveSignInDrafts('/contact')
    sessionStorage.clear()
    return id
  }
  const carried = () => allSignInDrafts().flatMap(([, { drafts }]) => (drafts ? [drafts] : []))

  test('a draft typed before registering is restored once, in the tab that returns from the sign-in', () => {
    const id = typeAndCloseTab()
    expect(carried()).toHaveLength(1)
    expect(restoreSignInDrafts({ sub: 'ann' }, { arrivedWith: id })).toBeNull()
    expect(typed()).toMatchObject({ message: 'Smoke' })
    expect(carried()).toEqual([])
  })

  test('the newest of several drafts with one address is restored after registering', () => {
    typeAndCloseTab()
    const [[id, older] = ['', null]] = allSignInDrafts()
    const last = { contact: { email: ANN.email, message: 'Fire' } }
    localStorage.setItem(
      `carriedDraft:0${id}`,
      JSON.stringify({ ...older, at: Date.now() + 1, drafts: last }),
    )
    restoreSignInDrafts(ANN, { arrivedWith: null })
    expect(typed()).toMatchObject({ message: 'Fire' })
  })

  test('a draft typed before registering is restored for its confirmed address, and its page is returned', () => {
    typeAndCloseTab()
    expect(restoreSignInDrafts(ANN, { arrivedWith: null })).toBe('/contact')
    expect(typed()).toMatchObject({ message: 'Smoke' })
  })

  test.each([
    ['another user', { ...ANN, email: 'bob@client.test' }],
    ['a user with an unconfirmed address', { ...ANN, email_verified: false }],
  ])(
    'a draft typed before registering is deleted if %s signs in on the same computer',
    (_, account) => {
      typeAndCloseTab()
      expect(restoreSignInDrafts(account, { arrivedWith: null })).toBeNull()
      expect(drafts()).toEqual([])
      expect(localStorage.length).toBe(0)
    },
  )

  test('a draft typed before registering is deleted after an hour and on sign-out', async () => {
    typeAndCloseTab()
    vi.setSystemTime(Date.now() + 3_600_001)
    expect(restoreSignInDrafts(ANN, { arrivedWith: null })).toBeNull()
    expect(localStorage.length).toBe(0)
    vi.useRealTimers()
    typeAndCloseTab()
    const manager = await signInAs('user', { sub: 'carol' })
    vi.spyOn(manager, 'signoutRedirect').mockResolvedValue()
    await signOut('/')
    expect(localStorage.length).toBe(0)
  })

  test('a draft typed before registering is restored in both tabs in either order, then no longer saved', () => {
    const own = '{"email":"another@client.test","message":"Smoke"}'
    const account = { sub: 'ann' }
    sessionStorage.setItem('contactDraft:', own)
    const id = saveSignInDrafts('/contact')
    const first = sessionStorage.getItem('contactDraft:') ?? ''

    // The first tab returns on its second attempt, before the tab of the mail's link.
    expect(saveSignInDrafts('/contact')).toBe(id)
    claimDrafts('ann')
    restoreSignInDrafts(account, { arrivedWith: id, isRepeated: true })
    expect(typed()).toMatchObject({ message: 'Smoke' })
    sessionStorage.clear()
    restoreSignInDrafts(account, { arrivedWith: id })
    expect(typed()).toMatchObject({ message: 'Smoke' })
    expect(carried()).toEqual([])

    // Afterwards: a draft that was restored is not saved again.
    sessionStorage.clear()
    sessionStorage.setItem('contactDraft:', first)
    expect(saveSignInDrafts('/contact')).toBe(id)
    expect(carried()).toEqual([])
    claimDrafts('ann')
    restoreSignInDrafts(account, { arrivedWith: id, isRepeated: true })
    expect(typed()).toMatchObject({ message: 'Smoke' })
    expect(carried()).toEqual([])
  })

  test('a restored draft is marked as sent in the other tab that has it', () => {
    const id = typeAndCloseTab()
    restoreSignInDrafts(ANN, { arrivedWith: id })
    const other = 'contactDraft:other-tab'
    sessionStorage.setItem(other, sessionStorage.getItem('contactDraft:ann') ?? '')
    // A third tab of the same user signs in silently.
    restoreSignInDrafts(ANN, { arrivedWith: null })
    expect(isSentInOtherTab(other)).toBe(false)
    setSignInDraftSent('contactDraft:ann')
    expect(isSentInOtherTab(other)).toBe(true)
    expect(localStorage.length).toBe(1)
    expect(Object.values(localStorage).join('')).not.toContain('Smoke')
  })
})
