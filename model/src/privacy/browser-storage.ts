/** Storage keys for browser code, without the notice's texts, to keep the bundle small. */
export const STORAGE_KEYS = {
  consent: 'cookieConsent',
  consentKept: 'cookieConsentKept',
  consentPutOff: 'cookieQuestionClosed',
  contactDraft: 'contactDraft:*',
  carriedDraft: 'carriedDraft:*',
  inquiryDraft: 'inquiryDraft:*',
  replyDraft: 'answerDraft:*',
  noteDraft: 'noteDraft:*',
  recordDraft: 'recordDraft:*',
  recentRecords: 'recentRecords:*',
  lettersOff: 'letterShortcutsOff',
  silentSignIn: 'silentSignIn',
} as const

/**
 * Everything this site stores in a browser, printed as section 10 of the notice. The browser tests fail on any key that is not
 * listed. `*` matches the rest of a name.
 */
export const STORAGE = {
  theme: {
    key: 'themeMode',
    where: 'local storage',
    class: 'essential',
    why: 'The look you chose: light, dark or system',
    howLong: 'Until you clear it',
  },
  consent: {
    key: STORAGE_KEYS.consent,
    where: 'session storage',
    class: 'essential',
    why: 'Your cookie choice',
    howLong: 'Until you close the tab',
  },
  /** Only with the setting `consent.keep`. */
  consentKept: {
    key: STORAGE_KEYS.consentKept,
    where: 'local storage',
    class: 'essential',
    why: 'Your cookie choice, for other tabs and later visits',
    howLong: '12 months; we remove it when this site is next opened after that',
  },
  consentPutOff: {
    key: STORAGE_KEYS.consentPutOff,
    where: 'session storage',
    class: 'essential',
    why: 'That you closed the question about cookies without an answer',
    howLong: 'Until you reload a page or close the tab',
  },
  definitions: {
    key: 'dynamicRoutes',
    where: 'session storage',
    class: 'essential',
    why: 'Which record pages there are',
    howLong: 'Until you close the tab',
  },
  definitionsHash: {
    key: 'dynamicRoutesHash',
    where: 'session storage',
    class: 'essential',
    why: 'Tells our own copy of the record pages from someone else’s',
    howLong: 'Until you close the tab',
  },
  definitionsSub: {
    key: 'dynamicRoutesSub',
    where: 'session storage',
    class: 'essential',
    why: 'Which account that copy was made for',
    howLong: 'Until you close the tab',
  },
  contactDraft: {
    key: STORAGE_KEYS.contactDraft,
    where: 'session storage',
    class: 'essential',
    why: 'What you typed into the contact form, so that signing in does not lose it, and names and IDs of files you attached',
    howLong: 'Until it is sent, you sign out or close the tab',
  },
  carriedDraft: {
    key: STORAGE_KEYS.carriedDraft,
    where: 'local storage',
    class: 'essential',
    why: 'What you typed before you went to sign in or register, for the tab you come back in',
    howLong:
      'Until you are back, someone else signs in or you sign out; after an hour we remove it unread when this site is next opened',
  },
  inquiryDraft: {
    key: STORAGE_KEYS.inquiryDraft,
    where: 'session storage',
    class: 'essential',
    why: 'What you typed into the Privacy Inquiry Form',
    howLong: 'Until it is sent, you sign out or close the tab',
  },
  replyDraft: {
    key: STORAGE_KEYS.replyDraft,
    where: 'session storage',
    class: 'essential',
    why: 'What you typed as a reply to a request, and names and IDs of files you attached',
    howLong: 'Until it is sent, you sign out or close the tab',
  },
  noteDraft: {
    key: STORAGE_KEYS.noteDraft,
    where: 'session storage',
    class: 'essential',
    why: 'What our staff typed as an internal note on a request, and names and IDs of files they attached',
    howLong: 'Until it is added, they sign out or the tab is closed',
  },
  recordDraft: {
    key: STORAGE_KEYS.recordDraft,
    where: 'session storage',
    class: 'essential',
    why: 'What you typed into the form of a record and have not saved yet, and names and IDs of files you attached',
    howLong: 'Until it is saved, you discard it, sign out or close the tab',
  },
  recentRecords: {
    key: STORAGE_KEYS.recentRecords,
    where: 'session storage',
    class: 'essential',
    why: 'Which ten records you opened last, by their IDs alone, to offer them in the search',
    howLong: 'Until you sign out or close the tab',
  },
  lettersOff: {
    key: STORAGE_KEYS.lettersOff,
    where: 'local storage',
    class: 'essential',
    why: 'That you switched off keyboard shortcuts of a single letter',
    howLong: 'Until you switch them on again or clear it',
  },
  scroll: {
    key: 'react-router-scroll-positions',
    where: 'session storage',
    class: 'essential',
    why: 'Where you were on a page, for the back button',
    howLong: 'Until you close the tab',
  },
  user: {
    key: 'oidc.user:*',
    where: 'session storage',
    class: 'essential',
    why: 'Your sign-in',
    howLong: 'Until you sign out or close the tab',
  },
  signInState: {
    key: 'oidc.*',
    where: 'session storage',
    class: 'essential',
    why: 'Protects a sign-in that is under way',
    howLong: 'Until the sign-in ends or you close the tab',
  },
  silentSignIn: {
    key: STORAGE_KEYS.silentSignIn,
    where: 'session storage',
    class: 'essential',
    why: 'That this tab has asked the identity provider whether you are signed in there',
    howLong: 'Until you sign in or close the tab',
  },
  providerSession: {
    key: 'AUTH_SESSION_ID*, KEYCLOAK_*, KC_*',
    where: 'cookie of the identity provider',
    class: 'essential',
    why: 'Your session at the identity provider',
    howLong: 'Until you close the browser; the session itself until you sign out, at most 10 hours',
  },
} as const satisfies Record<string, StorageEntry>

type StorageEntry = {
  key: string
  where: 'local storage' | 'session storage' | 'cookie of the identity provider'
  class: 'essential' | 'analytics'
  why: string
  howLong: string
}
