// site/site.json: one schema for the editor's hints, the start-up check and the type.

const text = { type: 'string', minLength: 1 } as const
const email = { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$' } as const
const url = { type: 'string', pattern: '^https?://' } as const
/** As in #0f5244. */
const colour = { type: 'string', pattern: '^#[0-9a-f]{6}$' } as const
const flag = { type: 'boolean' } as const
const list = <const I>(items: I) => ({ type: 'array', items }) as const
/** Adds a hint for editors. */
const says = <const S extends object>(description: string, schema: S) =>
  ({ description, ...schema }) as const
/** A setting with a default may be omitted, so that files of earlier releases remain valid. */
const optional = <const S extends object>(schema: S) => ({ ...schema, default: null }) as const
/** Settings without a default are required, except the editor's `$schema`. */
const object = <const P extends object>(properties: P) =>
  ({
    type: 'object',
    properties,
    required: Object.entries(properties)
      .filter(([name, schema]) => name !== '$schema' && !('default' in Object(schema)))
      .map(([name]) => name),
    additionalProperties: false,
  }) as const

const SVG = '^[\\w-][\\w./-]*\\.svg$'
const orNull = <const S extends object>(schema: S) =>
  ({ ...schema, type: ['object', 'null'] }) as const

/** International, so that it can be dialled from anywhere. */
const phone = {
  type: 'string',
  pattern: '^\\+[1-9][0-9 ()./-]{5,28}[0-9]$',
  description: 'With the country code, as in +353 20 910 0100.',
} as const

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

const openingTimes = optional(
  says('Opening times of this day, in order, as in ["09:00-12:30", "13:30-17:30"].', {
    type: 'array',
    items: {
      type: 'string',
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]-(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
      description: 'Opening and closing time, as in 09:00-17:30.',
    },
  }),
)

/** The eight links of the footer, in the specification's order. A URL under `.example` is marked as a sample. */
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

/** Branding; null keeps the default. Paths of images are relative to site.json. */
const brand = {
  colours: says(
    'One colour for each theme, like #0f5244: buttons, links and the band are made from it. Checked for contrast.',
    orNull(object({ light: colour, dark: colour })),
  ),
  logo: says(
    'For the bar at the top, SVG files beside this one.',
    orNull(
      object({
        light: { type: 'string', pattern: SVG },
        dark: says('Another one for the dark theme, or null.', {
          type: ['string', 'null'],
          pattern: SVG,
        }),
        hasName: says('True: the name of the site is part of the picture.', flag),
      }),
    ),
  ),
  icon: says('A square SVG for the tab of the browser and for home screens, or null.', {
    type: ['string', 'null'],
    pattern: SVG,
  }),
} as const

/** Icons for areas of expertise. */
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
  sample: says('True until your own content is in: everything below is marked as a sample.', flag),
  headline: text,
  lead: text,
  gates: says('The stops of the plan drawing.', list(object({ title: text, text }))),
  expertise: says(
    'The page shows the area with the most projects first.',
    list(
      object({
        name: text,
        icon: text,
        description: text,
        projects: { type: 'integer', minimum: 0 },
      }),
    ),
  ),
  certifications: list(
    object({
      name: text,
      issuer: text,
      year: { type: 'integer', minimum: 1990 },
      url: says('A page of the issuer’s, best its own record of it.', optional(url)),
    }),
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
    url: says('The public address, https, without a path.', url),
    timezone: says('As in Europe/Dublin: what “today” means on this site.', text),
    country: says('ISO 3166, as in IE.', { type: 'string', pattern: '^[A-Z]{2}$' }),
    currency: says('ISO 4217, as in EUR.', { type: 'string', pattern: '^[A-Z]{3}$' }),
    locale: says('How dates and numbers are written, as in en-IE.', text),
    responseHours: says(
      'Hours until the first reply to a request; shown to visitors, and when a ticket is due.',
      {
        type: 'integer',
        minimum: 1,
      },
    ),
    phone: optional(
      says('Shown on every page, in emails and at sign-in; with the country code.', phone),
    ),
    emergency: optional(
      says(
        'A number for emergencies: in the footer, on service pages, and in the form and the emails of a Client Report.',
        object({ phone, note: says('When to call it, in one sentence.', text) }),
      ),
    ),
    hours: optional(
      says(
        'When you’re open, in the time zone of the site. A day that isn’t listed is closed. Response times are then in working hours.',
        object({
          monday: openingTimes,
          tuesday: openingTimes,
          wednesday: openingTimes,
          thursday: openingTimes,
          friday: openingTimes,
          saturday: openingTimes,
          sunday: openingTimes,
        }),
      ),
    ),
    holidays: optional(
      says('Days on which you’re closed although `hours` lists them, as in 2026-12-25.', {
        type: 'array',
        items: {
          type: 'string',
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
          description: 'A date, as in 2026-12-25.',
        },
      }),
    ),
  }),
  brand: object(brand),
  owner: object({
    name: text,
    title: text,
    credit: says('Who the footer says made the site.', text),
    email: says('Where requests arrive.', email),
    alertEmail: says('Where reports of incidents arrive.', email),
  }),
  controller: object({
    name: text,
    address: text,
    privacyEmail: email,
    dpo: says('The data protection officer’s name and address, where there is one.', {
      type: ['string', 'null'],
    }),
    authority: object({ name: text, url }),
  }),
  socials: object(socials),
  recipients: says(
    'Who receives personal data, or may see it, on your behalf.',
    list(
      object({
        id: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
        name: text,
        role: { enum: ['processor', 'controller'] },
        country: { type: 'string', pattern: '^[A-Z]{2}$' },
        safeguard: says(
          'What protects data outside the EEA and the United Kingdom; required there.',
          {
            type: ['string', 'null'],
          },
        ),
        logDays: says('How long the recipient keeps its own logs, in days.', {
          type: ['integer', 'null'],
        }),
      }),
    ),
  ),
  consent: object({
    // 'on' is the specification's default.
    analyticsDefault: says('Off for visitors from the EU or the UK: CJEU C-673/17.', {
      enum: ['on', 'off'],
    }),
    dialog: optional(
      says(
        'always (default): asks every visitor. when-needed: not by itself while analytics is off; Cookie settings still opens it.',
        { enum: ['always', 'when-needed'] },
      ),
    ),
    keep: optional(
      says(
        'tab (default): the choice is kept until the tab is closed. browser: for 12 months, which the privacy notice then says.',
        { enum: ['tab', 'browser'] },
      ),
    ),
  }),
  analytics: object({ enabled: flag }),
  contact: object({
    delivery: says(
      'stored: a message really arrives. simulated: the form makes no call, for a site without the API.',
      {
        enum: ['stored', 'simulated'],
      },
    ),
  }),
  signIn: optional(
    says('No longer read: the front proxy says it in /config.json (SIGN_IN_RETURN_URL).', {
      type: 'object',
    }),
  ),
  privacy: object({ breaker: object({ minRows: { type: 'integer' }, share: { type: 'number' } }) }),
  backups: object({
    retentionDays: says('How long backups are kept: the privacy notice promises it.', {
      type: 'integer',
      minimum: 1,
    }),
  }),
  profile: object(profile),
})

export type SiteConfig = Of<typeof SITE_SCHEMA>
export type OpeningHours = NonNullable<SiteConfig['site']['hours']>
export type Social = keyof typeof socials
export type Profile = SiteConfig['profile']

/** The type a JSON Schema of ours describes. */
type Of<S> = S extends { enum: readonly (infer E)[] }
  ? E
  : S extends { type: readonly ['object', 'null']; properties: infer P }
    ? { -readonly [K in keyof P]: Of<P[K]> } | null
    : S extends { properties: infer P }
      ? { -readonly [K in keyof P as P[K] extends Optional ? never : K]: Of<P[K]> } & {
          -readonly [K in keyof P as P[K] extends Optional ? K : never]?: Of<P[K]>
        }
      : S extends { items: infer I }
        ? Of<I>[]
        : S extends { type: readonly (infer T)[] }
          ? Named<T>
          : S extends { type: infer T }
            ? Named<T>
            : never

type Optional = { default: null }

type Named<T> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : never
