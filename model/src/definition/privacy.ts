// The full privacy vocabulary. Fields are annotated with it, and the notice is generated from the annotations. Retention and
// erasure are manual: docs/spec/deviations.md.

/** Section 2 of the notice, one group of rows each. */
export const CATEGORIES = {
  identity: 'Name and similar identifiers',
  contact: 'Contact details (email, phone, address)',
  employment: 'Employer, role and job title',
  account: 'Account identifiers from the identity provider',
  communication: 'Messages you send us and our replies',
  contract: 'Contract and billing details',
  device: 'Devices assigned to you',
  security: 'Security events that mention you',
  technical: 'Technical log data',
  preference: 'Privacy choices and consents',
} as const
export type Category = keyof typeof CATEGORIES

/** Section 4 of the notice. Articles are those of the GDPR. */
export const BASES = {
  contract:
    'Contract — Art. 6(1)(b); where the contract is with the organisation you act for, our legitimate interest in performing it — Art. 6(1)(f)',
  legal_obligation: 'Legal obligation — Art. 6(1)(c)',
  legitimate_interests: 'Legitimate interests — Art. 6(1)(f)',
  consent: 'Consent — Art. 6(1)(a)',
} as const
type Basis = keyof typeof BASES

/** Section 3 of the notice. The basis belongs to the purpose, so that fields can't contradict each other. */
export const PURPOSES = {
  enquiries: {
    label: 'Reply to requests, call back, prepare offers',
    basis: 'legitimate_interests',
    interest: 'replying to people who contact us',
  },
  delivery: { label: 'Deliver and support contracted services', basis: 'contract' },
  account: { label: 'Let you sign in and see your own records', basis: 'contract' },
  records: { label: 'Keep contract and accounting records', basis: 'legal_obligation' },
  security: {
    label: 'Detect, investigate and prevent incidents',
    basis: 'legitimate_interests',
    interest: "security of our and our clients' systems",
  },
  rights: { label: 'Handle privacy requests and prove that we did', basis: 'legal_obligation' },
  marketing: { label: 'Send news you asked for', basis: 'consent' },
  analytics: { label: 'Count visits to improve the site', basis: 'consent' },
} as const satisfies Record<string, { label: string; basis: Basis; interest?: string }>
export type Purpose = keyof typeof PURPOSES

/**
 * Retention periods. The notice promises the first four; any other may only be shorter. `longest` orders them for that rule:
 * the period in days, rounded up.
 */
export const POLICIES = {
  customer: { promise: '7 years after contract end', term: 'P7Y', longest: 2557 },
  prospect: { promise: '2 years after last contact', term: 'P2Y', longest: 731 },
  technical: { promise: '12 months', term: 'P12M', longest: 366 },
  consent: { promise: 'until withdrawn', term: null, longest: Number.MAX_SAFE_INTEGER },
  relationship: {
    promise: 'the later of the two',
    compose: ['customer', 'prospect'],
    longest: 2557,
  },
  transient: { promise: 'at most 7 days', term: 'P7D', longest: 7 },
} as const
export type Policy = keyof typeof POLICIES

/**
 * Effect of erasure on a field. `null`: the column becomes NULL. `redact`: the text becomes `[erased]`. `pseudonym`: the text
 * becomes `Person ABCD`, never derived from the value. `unlink`: the relation becomes NULL. `file`: the files are deleted with
 * their bytes, and the list becomes NULL. `row`: the row is deleted. There is no `hash`: a hash of an email address still
 * identifies its owner.
 */
export const ERASE_OPS = ['null', 'redact', 'pseudonym', 'unlink', 'file', 'row'] as const
export type EraseOp = (typeof ERASE_OPS)[number]

/**
 * Origin of a value, GDPR Art. 14(2)(f). `you`: the person. `client`: their organisation. `idp`: the identity provider.
 * `system`: ourselves.
 */
export const SOURCES = ['you', 'client', 'idp', 'system'] as const
export type Source = (typeof SOURCES)[number]

export type FieldPrivacy = { personal: false } | PersonalData

type PersonalData = {
  /** Written by `personal(…)`; `np` declares the opposite. */
  personal: true
  /** Kind of data, a section of the notice. */
  category: Category
  /** Reasons to keep it; each has its legal basis. */
  purposes: readonly Purpose[]
  /** Effect of erasure; default: the model's `onErase`. */
  erase?: EraseOp
  /** How long it is kept; default: the model's `retention`. May only be shorter. */
  retention?: Policy
  /** May mention other persons: reviewed before an export, searched during erasure. */
  freeText?: boolean
  /** Origin of the value; default: `you`. */
  source?: Source
}

export type ModelPrivacy = {
  /** The data subject of a row: the field with the address or account, or the relation to a record that has one. */
  subject: { email: string } | { sub: string } | { via: string } | 'none'
  /** How long the rows are kept. */
  retention: Policy
  /** Effect of erasure on personal fields without an `erase` of their own. */
  onErase: EraseOp
  /** IDs of recipients in the site configuration. */
  recipients?: readonly string[]
  /** Processor: the rows are stored for a client organisation, which is notified of requests (GDPR Art. 28). */
  role?: 'controller' | 'processor'
}

/** Not personal: must be declared on each field, there is no default. */
export const np = { personal: false } as const satisfies FieldPrivacy

type PersonalOptions<E extends EraseOp> = Omit<
  PersonalData,
  'personal' | 'category' | 'purposes' | 'erase'
> & { erase?: E }

/** Personal data of one category: `personal('contact', ['delivery'], { erase: 'null' })`. */
export const personal = <const E extends EraseOp = never>(
  category: Category,
  purposes: readonly Purpose[],
  options: PersonalOptions<E> = {},
) => ({ personal: true, category, purposes, ...options }) as PersonalData & Erases<E>

/** The erase operation is part of the type, because it decides whether a stored value can be null. */
type Erases<E extends EraseOp> = [E] extends [never] ? unknown : { erase: E }
