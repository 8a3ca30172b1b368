// What a deployer says about the site: config/site.json. One schema is the editor's help, the check at start and the type.

const text = { type: 'string', minLength: 1 } as const
const email = { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$' } as const
const url = { type: 'string', pattern: '^https?://' } as const
const flag = { type: 'boolean' } as const
const list = <const I>(items: I) => ({ type: 'array', items }) as const
/** Everything but the editor's line is required: an absent setting is a question nobody answered. */
const object = <const P extends object>(properties: P) =>
  ({
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => name !== '$schema'),
    additionalProperties: false,
  }) as const

/** The eight places of the footer, in the specification's order. */
const socials = {
  credentials: url,
  cloudLearning: url,
  developerProfile: url,
  codeHosting: url,
  messaging: url,
  microblog: url,
  socialNetwork: url,
  professionalNetwork: url,
} as const

/** What an area of work can be drawn with. */
export const TOPIC_ICONS = [
  'life-preserver',
  'person-lock',
  'shield-check',
  'boxes',
  'bug',
  'code-square',
  'cloud',
  'clouds',
  'arrow-repeat',
  'hdd-network',
  'laptop',
  'people',
  'clipboard-check',
  'activity',
  'git',
  'file-earmark-code',
] as const

const profile = {
  /** True until the deployer's own content is in: everything below is then marked as a sample. */
  sample: flag,
  headline: text,
  lead: text,
  /** The stops of the plan drawing. */
  gates: list(object({ title: text, text })),
  /** In ascending order of projects, so that bar and number never disagree. */
  expertise: list(
    object({
      name: text,
      icon: text,
      description: text,
      projects: { type: 'integer', minimum: 0 },
    }),
  ),
  certifications: list(
    object({ name: text, issuer: text, year: { type: 'integer', minimum: 1990 } }),
  ),
  tools: list(object({ group: text, names: list(text) })),
  projects: list(
    object({
      title: text,
      client: text,
      text,
      measure: text,
      before: text,
      after: text,
      builtWith: list(text),
      plan: { enum: ['zones', 'pipeline', 'restore'] },
    }),
  ),
  philosophy: object({ statement: text, principles: list(object({ title: text, text })) }),
} as const

export const SITE_SCHEMA = object({
  $schema: { type: 'string' },
  site: object({
    name: text,
    url,
    timezone: text,
    country: { type: 'string', pattern: '^[A-Z]{2}$' },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    locale: text,
    responseHours: { type: 'integer', minimum: 1 },
  }),
  owner: object({ name: text, title: text, credit: text, email, alertEmail: email }),
  controller: object({
    name: text,
    address: text,
    privacyEmail: email,
    /** The data protection officer's name and address, where there is one. */
    dpo: { type: ['string', 'null'] },
    authority: object({ name: text, url }),
  }),
  socials: object(socials),
  /** Who receives personal data, or may see it, on our behalf. */
  recipients: list(
    object({
      id: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
      name: text,
      role: { enum: ['processor', 'controller'] },
      country: { type: 'string', pattern: '^[A-Z]{2}$' },
      /** What protects data that leaves the EEA and the United Kingdom; required there. */
      safeguard: { type: ['string', 'null'] },
      /** How long the recipient keeps its own logs, in days. */
      logDays: { type: ['integer', 'null'] },
    }),
  ),
  /** 'on' is the specification's default. Set it to 'off' for visitors from the EU or the UK: CJEU C-673/17. */
  consent: object({ analyticsDefault: { enum: ['on', 'off'] } }),
  analytics: object({ enabled: flag }),
  /** 'stored': a message really arrives. 'simulated': the form makes no call, for a site without the API. */
  contact: object({ delivery: { enum: ['stored', 'simulated'] } }),
  /** 'query' as specified; 'state' for providers that insist on exact redirect addresses. */
  signIn: object({ returnUrl: { enum: ['query', 'state'] } }),
  privacy: object({ breaker: object({ minRows: { type: 'integer' }, share: { type: 'number' } }) }),
  backups: object({ retentionDays: { type: 'integer', minimum: 1 } }),
  profile: object(profile),
})

export type SiteConfig = Of<typeof SITE_SCHEMA>
export type Social = keyof typeof socials
export type Profile = SiteConfig['profile']

/** The type a JSON Schema of ours describes. */
type Of<S> = S extends { enum: readonly (infer E)[] }
  ? E
  : S extends { properties: infer P }
    ? { -readonly [K in keyof P]: Of<P[K]> }
    : S extends { items: infer I }
      ? Of<I>[]
      : S extends { type: readonly (infer T)[] }
        ? Named<T>
        : S extends { type: infer T }
          ? Named<T>
          : never

type Named<T> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : never
