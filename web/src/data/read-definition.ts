import { siteMessages } from '#messages/site.ts'
import { asObject, isUnshown, readFields, type DefinitionField } from './field.ts'

/** A model's definition. Other servers may have written it: only `path` is guaranteed. */
export type Definition = {
  path: string
  routeName: string
  name?: string
  menu?: boolean
  viewData: {
    title: string
    displayField: string
    fields: DefinitionField[]
    /** Passwords and hidden inputs: sent, never shown. */
    unshown?: DefinitionField[]
  }
  authorise?: unknown
  /** Flags that, if true, mean owners only. */
  owner?: unknown
  /** Actions denied to everyone. */
  without?: unknown[]
  /** Actions on a record besides changing it; parsed by records/actions/model-actions.ts. */
  actions?: unknown[]
  /** Set only by our own API: the model has history and a trash. */
  trash?: boolean
  /** Set only by our own API, for callers who may not read the model too: its records can have files. */
  files?: boolean
  /** How it is shown; parsed by presentation.ts. */
  presentation?: Record<string, unknown>
}

export function readDefinition(value: unknown): Definition {
  const given = asObject(value)
  const { path } = given
  // A colon or asterisk would create a route pattern.
  if (typeof path !== 'string' || !/^(?!\.+$)[^/\\?#:*%\s]+$/.test(path))
    throw new Error(siteMessages.noUsablePath)
  const routeName = asText(given['routeName']) ?? path
  const name = asText(given['name'])
  const view = asObject(given['viewData'])
  const all = Array.isArray(view['fields']) ? readFields(view['fields']) : []
  const unshown = all.filter(isUnshown)
  const displayField = asText(view['displayField']) ?? 'id'
  return {
    path,
    routeName,
    ...(name ? { name } : {}),
    ...(given['menu'] === false ? { menu: false } : {}),
    viewData: {
      title: asText(view['title']) ?? name ?? routeName,
      displayField: unshown.some((field) => field.name === displayField) ? 'id' : displayField,
      fields: all.filter((field) => !isUnshown(field)),
      ...(unshown.length > 0 ? { unshown } : {}),
    },
    ...(given['authorise'] === undefined ? {} : { authorise: given['authorise'] }),
    ...(given['owner'] === undefined ? {} : { owner: given['owner'] }),
    ...(Array.isArray(given['without']) ? { without: given['without'] } : {}),
    ...(Array.isArray(given['actions']) ? { actions: given['actions'] } : {}),
    ...(given['trash'] === true ? { trash: true } : {}),
    ...(given['files'] === true ? { files: true } : {}),
    ...readPresentation(given),
  }
}

const PRESENTATION = [
  'icon',
  'summary',
  'list',
  'glance',
  'sections',
  'related',
  'timeline',
  'pages',
]

function readPresentation(given: Record<string, unknown>) {
  const keys = PRESENTATION.filter((key) => key in given)
  return keys.length > 0
    ? { presentation: Object.fromEntries(keys.map((key) => [key, given[key]])) }
    : {}
}

const asText = (value: unknown) => (typeof value === 'string' && value ? value : undefined)
