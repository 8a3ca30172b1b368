/** Thirty models of a spec-only server: a table of variations, combined in rotation. The same in every run. */
const ACTIONS = ['list', 'get', 'create', 'update', 'delete'] as const
export type Action = (typeof ACTIONS)[number]
export type Role = 'anonymous' | 'user' | 'admin'

export type SpecField = {
  name: string
  label?: string
  type: string
  default?: unknown
  options?: unknown[]
  /** Path of a relation's target. */
  to?: string
  min?: number
  max?: number
}
export type SpecRecord = Record<string, unknown> & { id: string | number }

export type SpecModel = {
  definition: {
    path: string
    routeName: string
    name?: string
    viewData: { title?: string; displayField?: string; fields: SpecField[] }
    authorise?: Partial<Record<Action, boolean>>
  }
  /** Response of `form-metadata`. */
  metadata: unknown
  record: SpecRecord
  nextId: string | number
  /** Response body of POST, PUT and DELETE. */
  answers: 'nothing' | 'id' | 'record'
}

type Kind = { stored: unknown; typed: string | boolean; sent: unknown; more?: object }

/** Per type: the stored value, the user's input, and the value sent. */
export const KINDS: Record<string, Kind> = {
  text: { stored: 'Old words', typed: 'New words', sent: 'New words' },
  number: { stored: 12, typed: '12.5', sent: 12.5 },
  checkbox: { stored: false, typed: true, sent: true },
  radio: { stored: 'one', typed: 'two', sent: 'two', more: { options: ['one', 'two'] } },
  password: { stored: 'secret-of-old', typed: 'secret-of-new', sent: 'secret-of-new' },
  email: { stored: 'old@example.test', typed: 'new@example.test', sent: 'new@example.test' },
  tel: { stored: '+353 1 555 0100', typed: '+353 1 555 0199', sent: '+353 1 555 0199' },
  url: { stored: 'https://old.test/', typed: 'https://new.test/', sent: 'https://new.test/' },
  date: { stored: '2026-05-01', typed: '2027-06-02', sent: '2027-06-02' },
  time: { stored: '10:30', typed: '11:45', sent: '11:45' },
  'datetime-local': {
    stored: '2026-05-01T10:30',
    typed: '2027-06-02T11:45',
    sent: '2027-06-02T11:45',
  },
  month: { stored: '2026-05', typed: '2027-06', sent: '2027-06' },
  week: { stored: '2026-W10', typed: '2027-W22', sent: '2027-W22' },
  search: { stored: 'Old search', typed: 'New search', sent: 'New search' },
  color: { stored: '#112233', typed: '#aabbcc', sent: '#aabbcc' },
  range: { stored: 20, typed: '40', sent: 40, more: { min: 10, max: 60 } },
  string: { stored: 'Old string', typed: 'New string', sent: 'New string' },
  bool: { stored: false, typed: true, sent: true },
  textarea: { stored: 'Two\nlines', typed: 'Three\nlines\nnow', sent: 'Three\nlines\nnow' },
  select: { stored: 'small', typed: 'large', sent: 'large', more: { options: ['small', 'large'] } },
  'colour-of-the-moon': { stored: 'grey', typed: 'silver', sent: 'silver' },
  integer: { stored: 3, typed: '4', sent: 4 },
  decimal: { stored: 1.25, typed: '2.5', sent: 2.5 },
  boolean: { stored: false, typed: true, sent: true },
  datetime: {
    stored: '2026-05-01T10:30:00.000Z',
    typed: '2027-06-02T11:45',
    sent: new Date('2027-06-02T11:45').toISOString(),
  },
}
const TYPES = Object.keys(KINDS)
const FIELDS_PER_MODEL = 4

const NAMES: [
  path: string,
  routeName?: string | undefined,
  name?: string | undefined,
  title?: string,
][] = [
  ['Gadgets', 'gadget-list', 'Gadget', 'Gadgets'],
  ['lamps', 'lamps', 'Lamp', 'Lamps'],
  ['Torches', 'torches', undefined, 'Torches'],
  ['kettles', 'v2/kettles', 'Kettle'],
  ['SLATiers', 'sla-tiers', 'SLA tier', 'SLA tiers'],
  ['ropes'],
  ['Ladders', 'LADDERS', 'Ladder', 'Ladders'],
  ['köder', 'koeder', 'Köder', 'Köder'],
  ['tents', 'tents', 'Tent', 'Tents'],
  ['maps', 'map-store', undefined, 'Maps'],
  ['Boats', undefined, 'Boat', 'Boats'],
  ['oars', 'oars', 'Oar'],
  ['sails', 'sails', 'Sail', 'Sails'],
  ['Anchors', 'anchor', 'Anchor', 'Anchors'],
  ['bells', undefined, undefined, 'Bells'],
  ['clocks', 'clocks', 'Clock', 'Clocks'],
  ['Radios', 'radio-sets', 'Radio set', 'Radio sets'],
  ['wires', 'wires', 'Wire', 'Wires'],
  ['fuses', 'v1/fuses', 'Fuse', 'Fuses'],
  ['Valves', 'valves', 'Valve', 'Valves'],
  ['pipes', 'pipes', undefined, 'Pipes'],
  ['taps', 'tap-list', 'Tap', 'Taps'],
  ['Bricks', 'bricks', 'Brick', 'Bricks'],
  ['tiles', 'tiles'],
  ['doors', 'doors', 'Door', 'Doors'],
  ['Gates', 'gate', 'Gate', 'Gates'],
  ['locks', 'locks', 'Lock', 'Locks'],
  ['keys', 'key-ring', 'Key', 'Keys'],
  ['Rugs', 'rugs', 'Rug', 'Rugs'],
  ['chairs', 'chairs', 'Chair', 'Chairs'],
]

const IDS: [string | number, string | number][] = [
  [7, 8],
  ['a/b c', 'd?e#f'],
  ['ünïcode', '50%'],
  ['0', '00'],
  [0, 1],
  ['9f1c-uuid', '3b7a-uuid'],
]
const FLAGS = [undefined, false, true] as const

export const MODELS: SpecModel[] = NAMES.map(([path, routeName, name, title], index) => {
  const fields = fieldsOf(index)
  const hasDisplayField = index % 5 !== 3
  const [id, nextId] = pick(IDS, index)
  return {
    definition: {
      path,
      routeName: routeName ?? path,
      ...(name ? { name } : {}),
      viewData: {
        ...(title ? { title } : {}),
        ...(hasDisplayField ? { displayField: 'label' } : {}),
        fields,
      },
      // Missing, empty, or a mix of missing, false and true.
      ...(index % 10 === 0 ? {} : { authorise: index % 10 === 5 ? {} : flagsOf(index) }),
    },
    metadata: index % 2 ? fields : { fields },
    record: {
      id,
      label: `Old ${path}`,
      ...Object.fromEntries(
        fields.slice(1).map((field) => [field.name, KINDS[field.type]?.stored ?? field.default]),
      ),
    },
    nextId,
    answers: pick(['nothing', 'id', 'record'], index),
  }
})

/** Visible names of a model: its title in lists, its name in messages. */
export const titleOf = ({ definition: { name, viewData, routeName } }: SpecModel) =>
  viewData.title ?? name ?? routeName
export const nameOf = ({ definition: { name, viewData, routeName } }: SpecModel) =>
  name ?? viewData.title ?? routeName

export function mayDo(role: Role, { definition }: SpecModel, action: Action) {
  const flag = definition.authorise?.[action]
  if (flag === undefined) return true
  return flag ? role === 'admin' : role !== 'anonymous'
}

/** A name, four fields of rotating types, and sometimes a hidden one. */
function fieldsOf(index: number): SpecField[] {
  const types = Array.from({ length: FIELDS_PER_MODEL }, (_, place) =>
    pick(TYPES, index * FIELDS_PER_MODEL + place),
  )
  return [
    {
      name: 'label',
      ...(index % 7 === 6 ? {} : { label: 'Label' }),
      type: pick(['text', 'string', 'label-of-sorts'], index),
      default: `New ${index}`,
    },
    ...types.map((type) => ({
      name: `the-${type}`,
      label: `The ${type}`,
      type,
      ...KINDS[type]?.more,
    })),
    ...(index % 3 === 0
      ? [{ name: 'origin', label: 'Origin', type: 'hidden', default: index % 2 ? 'import' : index }]
      : []),
  ]
}

/** Each action is offset by another stride, so that no two neighbours have the same flags. */
function flagsOf(index: number) {
  return Object.fromEntries(
    ACTIONS.flatMap((action, place) => {
      const flag = pick(FLAGS, index + place * (1 + (index % 2)) + Math.floor(index / 3))
      return flag === undefined ? [] : [[action, flag]]
    }),
  )
}

function pick<T>(from: readonly T[], index: number): T {
  return from[index % from.length] as T
}
