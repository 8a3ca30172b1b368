import {
  isAdded,
  mailTexts,
  overrideMessages,
  PRESENTATION_KEYS,
  type Model,
} from '@gatehouse/model'
import { models as productModels } from '@gatehouse/model/models'
import { checkDefinitions } from './app.ts'
import { declaredSchema, declaredStores } from './schema.ts'
import { BEHAVIOURS, DEFINED } from './product.ts'
import { ownMailTexts, site, type Site } from './site.ts'
import { tableName } from '#engine/table-names.ts'
import { SetupError } from '#platform/errors.ts'

/** Models are in menu order: the product's, then the site's. */
export function install(site: Site) {
  const own = (site.models ?? []).map(inSiteTable)
  return {
    models: [...productModels.map((model) => extend(model, site)), ...own],
    behaviours: [...BEHAVIOURS, ...(site.behaviours ?? [])],
    foreignSchemas: site.foreignSchemas ?? [],
    mistakes: [
      ...productModels.flatMap(takenNames),
      ...own.flatMap(checkOwn),
      ...(site.extensions ?? []).flatMap(checkExtension),
    ],
  }
}

export const { models, behaviours, foreignSchemas, mistakes } = install(site)

/** All database objects we declare. A function, because tables can only be built from valid models. */
export const declared = () =>
  declaredSchema({ models, productTables: DEFINED.tables, foreignSchemas })

export const stores = declaredStores(DEFINED.tables)

export const texts = readTexts(ownMailTexts)

function readTexts(own: object) {
  try {
    return overrideMessages(mailTexts, own, 'mail-texts')
  } catch (error) {
    throw new SetupError(`site: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Errors that prevent serving and migrating. */
export const checkInstallation = () => [
  ...mistakes,
  ...checkDefinitions(models, { ...DEFINED, behaviours }),
]

/** Fails with a readable message, before tables are built from the models. */
export function requireSound(found = checkInstallation()) {
  if (found.length > 0) throw new SetupError(`Invalid models:\n${found.join('\n')}`)
}

/** Mutates the model: behaviours import that object and must get the same table. */
function inSiteTable(model: Model) {
  return Object.assign(model, { table: model.table ?? `site_${tableName(model)}` })
}

/** The product's own fields and actions take precedence; how it is shown is as the site says. */
function extend(model: Model, { extensions = [] }: Site): Model {
  const own = extensions.filter(({ path }) => path === model.path)
  if (own.length === 0) return model
  const replaced = own.flatMap((extension) =>
    PRESENTATION_KEYS.filter((key) => extension[key] !== model[key]).map((key) => [
      key,
      extension[key],
    ]),
  )
  return {
    ...model,
    ...Object.fromEntries(replaced),
    fields: Object.assign({}, ...own.map(({ fields }) => fields), model.fields),
    retired: Object.assign({}, ...own.map(({ retired }) => retired), model.retired),
    actions: Object.assign({}, ...own.map(({ actions }) => actions), model.actions),
  }
}

function takenNames({ path, fields }: Model) {
  return Object.keys(fields)
    .filter(isAdded)
    .map((name) => `${path}: "${name}" begins as only a site's fields do`)
}

function addressesOf({ path, routeName }: Model) {
  return [path, routeName]
}

function checkOwn(model: Model) {
  const taken = addressesOf(model).find((name) =>
    productModels.some((one) => addressesOf(one).includes(name)),
  )
  return [
    ...(taken
      ? [
          `site: the address "${taken}" is the product's. Give your model another path, and keep its table with table: '${model.table}'`,
        ]
      : []),
    ...(model.table?.startsWith('site_')
      ? []
      : [`site: the table of "${model.path}" must begin with site_`]),
  ]
}

function checkExtension(extension: Model) {
  const model = productModels.find(({ path }) => path === extension.path)
  if (!model) return [`site: there is no model "${extension.path}" to extend`]
  const changed = (part: 'fields' | 'retired' | 'actions') =>
    Object.keys(extension[part]).filter((name) => extension[part][name] !== model[part][name])
  return [
    ...changed('fields')
      .filter((name) => !isAdded(name))
      .map(
        (name) =>
          `site: field "${name}" added to "${model.path}" must begin with x, as in xCustomerNumber`,
      ),
    ...changed('retired')
      .filter((name) => !isAdded(name))
      .map((name) => `site: retired field "${name}" of "${model.path}" must begin with x`),
    // A former name may be the product's some day.
    ...changed('fields')
      .flatMap((name) => extension.fields[name]?.formerly ?? [])
      .filter((name) => !isAdded(name))
      .map((name) => `site: formerly "${name}" of "${model.path}" must begin with x`),
    ...changed('actions')
      .filter((name) => name in model.actions)
      .map((name) => `site: action "${name}" of "${model.path}" is the product's`),
  ]
}
