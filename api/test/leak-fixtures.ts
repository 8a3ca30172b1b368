import { fieldsOf, isFile, isStored, type Field, type Model } from '@gatehouse/model'
import { snakeCase } from '#engine/table-names.ts'
import { FIXTURE_MODELS } from './scope-fixture.ts'

/**
 * The same records in four fixtures, with the same IDs and timestamps: as they are; with other hidden values; with additional
 * records of others; with other values from before a change of owner. Callers who may see none of the differences must get
 * identical responses.
 */
export type LeakFixture = { hidden: string; hasForeign: boolean; past: string }

export const WORLDS = {
  plain: { hidden: 'quartz', hasForeign: false, past: 'flint' },
  'other hidden values': { hidden: 'topaz', hasForeign: false, past: 'flint' },
  'foreign records': { hidden: 'quartz', hasForeign: true, past: 'flint' },
  'another past': { hidden: 'quartz', hasForeign: false, past: 'jasper' },
} satisfies Record<string, LeakFixture>

export { FIXTURE_MODELS as LEAK_MODELS }

const user = (name: string) => ({ sub: `sub-${name}`, name, role: 'user' as const })
export const ROLES = {
  anonymous: null,
  'a plain user': user('plain'),
  'a member': user('member'),
  'a manager': user('manager'),
}

/** Rows of each model: own, own in the trash, and others' in every variant. */
export const OWN = ['own0', 'own1', 'own2-trashed'] as const
export const OTHERS = [
  // Owned by another organisation, with relations to others' records.
  'foreign0',
  // Owned by another organisation, with relations to the caller's records.
  'foreign1',
  // In the caller's scope, but restricted.
  'foreign2-restricted',
  // In the caller's scope, but unpublished.
  'foreign3-hidden',
  'foreign4-trashed',
] as const
type Kind = (typeof OWN)[number] | (typeof OTHERS)[number]

const MOMENT = '2026-01-02T03:04:05.006Z'
export const EARLIER = 'earlierword'
export const CANARY = 'foreignword'
const FORMER = 'formerword'

/** Fixed IDs, so that full responses can be compared. */
export const idOf = (path: string, kind: Kind) => toId(path, [...OWN, ...OTHERS].indexOf(kind) + 1)
export const operationOf = (path: string, kind: Kind, version: number) =>
  toId(path, ([...OWN, ...OTHERS].indexOf(kind) + 1) * 16 + version)

const toId = (path: string, place: number) => {
  const model = FIXTURE_MODELS.findIndex((one) => one.path === path) + 1
  return `018f3b1c-0000-7000-8${String(model).padStart(3, '0')}-${String(place).padStart(12, '0')}`
}

/** `now`: the record names it. `earlier`: it did when it had its owner already. `former`: only before that. */
type FileTime = 'now' | 'earlier' | 'former'
const FILE_TIMES: FileTime[] = ['now', 'earlier', 'former']

/** Another person's upload that no record names; in the fixture with others' records only. */
export const STAGED = '018f3b1c-0000-7000-a000-000000000000'

type FileKey = { path: string; kind: Kind; field: string; time?: FileTime; world?: LeakFixture }

/** What no caller below staff may see has another ID in the fixtures that differ in it. */
export function fileIdOf({ path, kind, field, time = 'now', world = WORLDS.plain }: FileKey) {
  const model = FIXTURE_MODELS.find((one) => one.path === path)
  const isOther =
    (world.hidden === 'topaz' && model?.fields[field]?.visibleTo === 'admin') ||
    (world.past === 'jasper' && time === 'former')
  const variant = FILE_TIMES.indexOf(time) * 2 + Number(isOther)
  const place = Object.keys(model?.fields ?? {}).indexOf(field) * 10 + variant
  return idOf(path, kind)
    .replace('-8', '-a')
    .replace(/000000/, String(place).padStart(6, '0'))
}

const refOf = (name: string) =>
  `018f3b1c-0000-7000-9000-00000000000${['member', 'stranger'].indexOf(name) + 1}`

export const toSql = (world: LeakFixture) =>
  [
    `insert into subject_refs (sub, ref) values ('sub-member', '${refOf('member')}'), ('sub-stranger', '${refOf('stranger')}');`,
    // Relations are cyclic, so foreign keys are not checked on insert.
    `set session_replication_role = replica;`,
    ...FIXTURE_MODELS.flatMap((model) =>
      kindsOf(world).flatMap((kind) => [
        insertRow(model, kind, world),
        insertTrace(model, kind, world),
        insertFiles(model, kind, world),
      ]),
    ),
    ...(world.hasForeign ? [insertFile(STAGED, { name: CANARY, stage: 'staged' })] : []),
  ].join('\n')

const kindsOf = ({ hasForeign }: LeakFixture): Kind[] =>
  hasForeign ? [...OWN, ...OTHERS] : [...OWN]

const isForeign = (kind: Kind) => kind.startsWith('foreign')
const isTrashed = (kind: Kind) => kind.endsWith('trashed')
/** Rows in the caller's scope that another rule must hide. */
const isInScope = (kind: Kind) =>
  !isForeign(kind) || kind === 'foreign2-restricted' || kind === 'foreign3-hidden'

function insertRow(model: Model, kind: Kind, world: LeakFixture) {
  const row = {
    id: idOf(model.path, kind),
    version: isTrashed(kind) ? 4 : 3,
    createdAt: MOMENT,
    updatedAt: MOMENT,
    createdByRef: refOf(isForeign(kind) ? 'stranger' : 'member'),
    updatedByRef: refOf(isForeign(kind) ? 'stranger' : 'member'),
    deletedAt: isTrashed(kind) ? MOMENT : null,
    // Restricted if no other rule hides it.
    restrictedAt: kind === 'foreign2-restricted' || isUnhidden(model, kind) ? MOMENT : null,
    sample: false,
    ...valuesOf(model, kind, world),
  }
  const names = Object.keys(row).map((name) => `"${snakeCase(name)}"`)
  const columns = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [snakeCase(name), value]),
  )
  return `insert into ${model.path} (${names.join(', ')}) select ${names.join(', ')}
    from jsonb_populate_record(null::${model.path}, $row$${JSON.stringify(columns)}$row$);`
}

/** Revisions and audit events: owned by others, owner changed, visible and hidden fields changed, perhaps deleted. */
function insertTrace(model: Model, kind: Kind, world: LeakFixture) {
  const values = valuesOf(model, kind, world)
  const earlier = {
    ...values,
    ...wordsOf(model, (field) => (isHidden(field) ? `old ${world.hidden}` : EARLIER)),
  }
  const former = { ...values, ...wordsOf(model, () => `${FORMER} ${world.past}`) }
  for (const [field] of fileFields(model)) {
    const key = { path: model.path, kind, field, world }
    Object.assign(earlier, { [field]: [fileIdOf({ ...key, time: 'earlier' })] })
    Object.assign(former, { [field]: [fileIdOf({ ...key, time: 'former' })] })
  }
  const words = [
    ...Object.keys(wordsOf(model, () => '')),
    ...fileFields(model).map(([name]) => name),
  ]
  const only = (from: Record<string, unknown>) =>
    Object.fromEntries(words.map((name) => [name, from[name]]))
  const own = isForeign(kind) ? STRANGERS : ownOwnership(model, values)
  const steps = [
    { action: 'create', before: null, after: former, whose: formerOwnership(model) },
    { action: 'update', before: only(former), after: only(earlier), whose: own },
    { action: 'update', before: only(earlier), after: only(values), whose: own },
    ...(isTrashed(kind) ? [{ action: 'delete', before: values, after: null, whose: own }] : []),
  ]
  return steps
    .map(
      ({ action, before, after, whose }, place) => `insert into revisions
        (id, operation_id, model, record_id, version, action, before, after, actor_ref, at, owner, org, is_open, is_settled)
        values ('${operationOf(model.path, kind, place + 9)}', '${operationOf(model.path, kind, place + 1)}',
          '${model.path}', '${idOf(model.path, kind)}', ${place + 1}, '${action}', $row$${JSON.stringify(before)}$row$,
          $row$${JSON.stringify(after)}$row$, '${refOf(isForeign(kind) ? 'stranger' : 'member')}', '${MOMENT}',
          ${text(whose.owner)}, ${text(whose.org)}, ${whose.isOpen}, true);`,
    )
    .join('\n')
}

function insertFiles(model: Model, kind: Kind, world: LeakFixture) {
  const word = isForeign(kind) ? CANARY : 'ownword'
  return fileFields(model)
    .flatMap(([field, { visibleTo }]) =>
      FILE_TIMES.map((time) =>
        insertFile(fileIdOf({ path: model.path, kind, field, time, world }), {
          name: time === 'former' ? `${FORMER} ${world.past}` : visibleTo ? world.hidden : word,
          stage: time === 'now' ? 'attached' : 'removed',
          at: { model: model.path, recordId: idOf(model.path, kind), field },
        }),
      ),
    )
    .join('\n')
}

type StoredFile = {
  name: string
  stage: 'staged' | 'attached' | 'removed'
  at?: { model: string; recordId: string; field: string }
}

const insertFile = (id: string, { name, stage, at }: StoredFile) =>
  `insert into files (id, owner_ref, name, type, size, stage, verdict, preview, model, record_id, field)
    values ('${id}', '${refOf('stranger')}', '${name}.png', 'image/png', 1, '${stage}', 'none', 'ready',
      ${text(at?.model)}, ${text(at?.recordId)}, ${text(at?.field)});`

const fileFields = (model: Model) => fieldsOf(model).filter(([, field]) => isFile(field))

type Ownership = { owner: unknown; org: unknown; isOpen: boolean }

const STRANGERS: Ownership = {
  owner: 'sub-stranger',
  org: idOf('organisations', 'foreign0'),
  isOpen: true,
}

/** The former owner; unowned records were not public then. */
const formerOwnership = ({ rowScope }: Model): Ownership =>
  rowScope ? STRANGERS : { owner: null, org: null, isOpen: false }

function ownOwnership({ rowScope }: Model, values: Record<string, unknown>): Ownership {
  const owner = rowScope && 'account' in rowScope ? values[rowScope.account] : 'sub-member'
  return { owner, org: idOf('organisations', 'own0'), isOpen: true }
}

const text = (value: unknown) => (typeof value === 'string' ? `'${value}'` : 'null')

const isHidden = (field: Field) => field.visibleTo === 'admin'
const isUnhidden = (model: Model, kind: Kind) =>
  !model.rowScope && isForeign(kind) && !model.publicFilter

const wordsOf = (model: Model, word: (field: Field) => string) =>
  Object.fromEntries(
    Object.entries(model.fields)
      .filter(
        ([name, field]) =>
          ['text', 'textarea', 'markdown'].includes(field.type) &&
          !field.unique &&
          !scopeFields(model).includes(name),
      )
      .map(([name, field]) => [name, word(field)]),
  )

const scopeFields = ({ rowScope }: Model): string[] => Object.values(rowScope ?? {})

function valuesOf(model: Model, kind: Kind, world: LeakFixture): Record<string, unknown> {
  const entries = Object.entries(model.fields)
    .filter(([, field]) => isStored(field))
    .map(([name, field]) => [name, valueOf(model, name, field, kind, world)])
  return { ...Object.fromEntries(entries), ...ownership(model, kind) }
}

function valueOf(
  model: Model,
  name: string,
  field: Field,
  kind: Kind,
  world: LeakFixture,
): unknown {
  const word = isForeign(kind) ? CANARY : 'ownword'
  const place = [...OWN, ...OTHERS].indexOf(kind)
  const isOther = world.hidden === 'topaz' && isHidden(field)
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'markdown':
      if (isHidden(field)) return `${world.hidden} ${place}`
      return field.unique ? `${word}-${place}` : `${word} ${place}`
    case 'email':
      return `${word}${place}@example.test`
    case 'tel':
      return '+353 1 555 0100'
    case 'url':
      return `https://example.test/${word}`
    case 'integer':
    case 'decimal':
      return (field.min ?? 0) + place + (isOther ? 7 : 0)
    case 'boolean':
      return !isOther
    case 'date':
      return '2099-01-02'
    case 'datetime':
      return MOMENT
    case 'select':
      return field.options?.[0]?.value
    case 'multiselect':
      return [field.options?.[0]?.value ?? word]
    case 'relation':
      return targetOf(model, name, field, kind, world)
    case 'file':
      return [fileIdOf({ path: model.path, kind, field: name, world })]
  }
}

/** Relations to invisible records read as null, so they are null in a fixture without those. */
function targetOf(model: Model, name: string, field: Field, kind: Kind, world: LeakFixture) {
  const to = field.to ?? ''
  const isAdminsOnly = to === 'accounts'
  if (scopeFields(model).includes(name) || name === 'organisation')
    return idOf(to, isInScope(kind) ? 'own0' : 'foreign0')
  if (!isForeign(kind)) {
    if (isAdminsOnly || (kind === 'own1' && !field.required))
      return world.hasForeign ? idOf(to, 'foreign0') : null
    return to === model.path ? null : idOf(to, 'own0')
  }
  return idOf(to, kind === 'foreign0' ? 'foreign0' : 'own0')
}

/** Visible to members by ownership, managers by organisation, the public if published. */
function ownership(model: Model, kind: Kind): Record<string, unknown> {
  const owner = model.rowScope && 'account' in model.rowScope ? model.rowScope.account : undefined
  const isShown = !isForeign(kind) || kind === 'foreign2-restricted'
  return {
    ...(model.path === 'contacts' ? contactOf(kind) : {}),
    ...(owner && model.path !== 'contacts'
      ? { [owner]: isInScope(kind) && kind !== 'foreign3-hidden' ? 'sub-member' : 'sub-stranger' }
      : {}),
    ...(kind === 'foreign3-hidden' && 'organisation' in model.fields && !model.publicFilter
      ? { organisation: idOf('organisations', 'foreign0') }
      : {}),
    ...('published' in model.fields ? { published: isShown } : {}),
    ...('internal' in model.fields ? { internal: !isShown } : {}),
  }
}

const contactOf = (kind: Kind) => ({
  userSub: { own0: 'sub-member', own1: 'sub-manager' }[kind as string] ?? null,
  portalRole: { own0: 'viewer', own1: 'manager' }[kind as string] ?? 'none',
  active: true,
  organisation: idOf(
    'organisations',
    isInScope(kind) && kind !== 'foreign3-hidden' ? 'own0' : 'foreign0',
  ),
})
