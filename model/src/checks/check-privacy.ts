import { factsOf, isAddress, isFile, isPlainLine, isRelation } from '#definition/field-types.ts'
import type { Field } from '#definition/fields.ts'
import { fieldOf, fieldsOf, type Model } from '#definition/model.ts'
import { CATEGORIES, ERASE_OPS, POLICIES, PURPOSES, SOURCES } from '#definition/privacy.ts'

export function checkModelPrivacy({ privacy }: Model) {
  const mistakes = []
  if (!Object.hasOwn(POLICIES, privacy.retention))
    mistakes.push(`privacy.retention "${privacy.retention}" is unknown`)
  if (!ERASE_OPS.includes(privacy.onErase))
    mistakes.push(`privacy.onErase "${privacy.onErase}" is unknown`)
  return mistakes
}

/** Every row with personal data needs a path to an address or account, which identifies its subject. */
export function checkSubject(model: Model, models: Model[]): string[] {
  const { subject } = model.privacy
  if (subject === 'none')
    return fieldsOf(model).some(([, field]) => field.privacy?.personal)
      ? ['privacy.subject must lead to an email address or a sub, because fields are personal']
      : []
  if ('email' in subject) return checkIdentifier(model, subject.email, 'email')
  if ('sub' in subject) return checkIdentifier(model, subject.sub, 'sub')
  return checkPath(model, subject.via, models)
}

function checkIdentifier(model: Model, name: string, kind: 'email' | 'sub') {
  const field = fieldOf(model, name)
  const [canIdentify, type] = kind === 'email' ? [isAddress, 'email'] : [isPlainLine, 'text']
  if (!field || !canIdentify(field))
    return [`privacy.subject ${kind} "${name}" must be a field of type ${type}`]
  return field.privacy?.personal === false
    ? [`privacy.subject ${kind} "${name}" must be personal, or erasure would leave it behind`]
    : []
}

function checkPath(start: Model, via: string, models: Model[]) {
  const seen = new Set<Model>()
  let model = start
  let subject: Model['privacy']['subject'] = { via }
  while (subject !== 'none' && 'via' in subject) {
    if (seen.has(model)) return [`privacy.subject via "${via}" must not be circular`]
    seen.add(model)
    const relation = fieldOf(model, subject.via)
    const target = models.find((other) => isRelation(relation) && other.path === relation?.to)
    // Further along the path, it is reported as that model's error.
    if (!target)
      return model === start ? [`privacy.subject via "${via}" must be a relation to a model`] : []
    model = target
    subject = target.privacy.subject
  }
  return subject === 'none'
    ? [
        `privacy.subject via "${via}" must lead to an email address or a sub; ${model.path} has neither`,
      ]
    : []
}

export function checkFieldPrivacy(field: Field, model: Model) {
  const { privacy } = field
  if (!privacy) return ['privacy must be declared; use np if nothing is personal']
  if (!privacy.personal) return []
  const mistakes = []
  if (!Object.hasOwn(CATEGORIES, privacy.category))
    mistakes.push(`unknown category "${privacy.category}"`)
  if (privacy.source !== undefined && !SOURCES.includes(privacy.source))
    mistakes.push(`unknown source "${String(privacy.source)}"`)
  if (privacy.freeText && !factsOf(field.type).text?.isFreeText)
    mistakes.push('freeText is for text only')
  return [
    ...mistakes,
    ...checkPurposes(field, model),
    ...checkTerm(field, model),
    ...checkErase(field, model),
  ]
}

function checkPurposes({ privacy }: Field, model: Model) {
  if (!privacy.personal) return []
  if (!privacy.purposes?.length) return ['personal data needs a purpose']
  const retention = privacy.retention ?? model.privacy.retention
  return privacy.purposes.flatMap((purpose) => {
    if (!Object.hasOwn(PURPOSES, purpose)) return [`unknown purpose "${purpose}"`]
    return PURPOSES[purpose].basis === 'consent' && !['consent', 'technical'].includes(retention)
      ? [`purpose "${purpose}" rests on consent, so retention must be consent or technical`]
      : []
  })
}

function checkTerm({ privacy }: Field, model: Model) {
  if (!privacy.personal || privacy.retention === undefined) return []
  if (!Object.hasOwn(POLICIES, privacy.retention))
    return [`unknown retention "${privacy.retention}"`]
  // An unknown model retention is reported once, for the model.
  if (!Object.hasOwn(POLICIES, model.privacy.retention)) return []
  return POLICIES[privacy.retention].longest > POLICIES[model.privacy.retention].longest
    ? ['retention must not be longer than the record’s']
    : []
}

function checkErase(field: Field, model: Model) {
  const { privacy } = field
  if (!privacy.personal) return []
  if (privacy.erase !== undefined && !ERASE_OPS.includes(privacy.erase))
    return [`unknown erase operation "${String(privacy.erase)}"`]
  const erase = privacy.erase ?? model.privacy.onErase
  const isRewritten = erase === 'redact' || erase === 'pseudonym'
  const mistakes = []
  if (erase === 'null' && field.sequence)
    mistakes.push('erase: null is not possible for a sequence')
  if (isRewritten && !factsOf(field.type).text?.isFreeText)
    mistakes.push(`erase: ${erase} is for text only`)
  if (isRewritten && field.unique)
    mistakes.push(`erase: ${erase} is not possible for a unique field`)
  if (erase === 'unlink' && !isRelation(field)) mistakes.push('erase: unlink is for relations only')
  if (erase === 'unlink' && field.required)
    mistakes.push('erase: unlink is not possible for a required field')
  if (erase === 'file' && !isFile(field)) mistakes.push('erase: file is for files only')
  // Otherwise the bytes would stay.
  if (isFile(field) && erase !== 'file' && erase !== 'row')
    mistakes.push('a personal file field needs erase: file')
  if (erase === 'row' && model.privacy.onErase !== 'row')
    mistakes.push('erase: row is for the model’s onErase only')
  return mistakes
}
