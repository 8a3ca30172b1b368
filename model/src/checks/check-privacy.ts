import type { Field } from '#definition/fields.ts'
import { fieldOf, fieldsOf, type Model } from '#definition/model.ts'
import { CATEGORIES, ERASE_OPS, POLICIES, PURPOSES, SOURCES } from '#definition/privacy.ts'

const TEXT_TYPES = ['text', 'textarea', 'markdown']

export function checkModelPrivacy({ privacy }: Model) {
  const mistakes = []
  if (!Object.hasOwn(POLICIES, privacy.retention))
    mistakes.push(`privacy.retention "${privacy.retention}" is unknown`)
  if (!ERASE_OPS.includes(privacy.onErase))
    mistakes.push(`privacy.onErase "${privacy.onErase}" is unknown`)
  return mistakes
}

/** A person asks by address or account: from every row with something personal a path must lead to one of them. */
export function checkSubject(model: Model, models: Model[]): string[] {
  const { subject } = model.privacy
  if (subject === 'none')
    return fieldsOf(model).some(([, field]) => field.privacy?.personal)
      ? [
          'holds personal fields, so privacy.subject must say whose they are, down to an e-mail address or a sub',
        ]
      : []
  if ('email' in subject) return checkIdentifier(model, subject.email, 'email')
  if ('sub' in subject) return checkIdentifier(model, subject.sub, 'sub')
  return checkPath(model, subject.via, models)
}

function checkIdentifier(model: Model, name: string, kind: 'email' | 'sub') {
  const field = fieldOf(model, name)
  const type = kind === 'email' ? 'email' : 'text'
  if (field?.type !== type)
    return [`privacy.subject ${kind} "${name}" must be a field of type ${type}`]
  return field.privacy?.personal === false
    ? [
        `privacy.subject ${kind} "${name}" must be personal itself, or erasing somebody would leave it`,
      ]
    : []
}

function checkPath(start: Model, via: string, models: Model[]) {
  const seen = new Set<Model>()
  let model = start
  let subject: Model['privacy']['subject'] = { via }
  while (subject !== 'none' && 'via' in subject) {
    if (seen.has(model)) return [`privacy.subject via "${via}" runs in a circle`]
    seen.add(model)
    const relation = fieldOf(model, subject.via)
    const target = models.find(
      (other) => relation?.type === 'relation' && other.path === relation.to,
    )
    // Further along it is the mistake of that model, which is told itself.
    if (!target)
      return model === start ? [`privacy.subject via "${via}" must be a relation to a model`] : []
    model = target
    subject = target.privacy.subject
  }
  return subject === 'none'
    ? [`privacy.subject via "${via}" ends in ${model.path}, which has no e-mail address and no sub`]
    : []
}

export function checkFieldPrivacy(field: Field, model: Model) {
  const { privacy } = field
  if (!privacy) return ['has no privacy annotation; write np where it holds nothing personal']
  if (!privacy.personal) return []
  const mistakes = []
  if (!Object.hasOwn(CATEGORIES, privacy.category))
    mistakes.push(`has the unknown category "${privacy.category}"`)
  if (privacy.source !== undefined && !SOURCES.includes(privacy.source))
    mistakes.push(`has the unknown source "${String(privacy.source)}"`)
  if (privacy.freeText && !TEXT_TYPES.includes(field.type))
    mistakes.push('is freeText, which needs a text')
  return [
    ...mistakes,
    ...checkPurposes(field, model),
    ...checkTerm(field, model),
    ...checkErase(field, model),
  ]
}

function checkPurposes({ privacy }: Field, model: Model) {
  if (!privacy.personal) return []
  if (!privacy.purposes?.length) return ['is personal, so it needs a purpose']
  const retention = privacy.retention ?? model.privacy.retention
  return privacy.purposes.flatMap((purpose) => {
    if (!Object.hasOwn(PURPOSES, purpose)) return [`has the unknown purpose "${purpose}"`]
    return PURPOSES[purpose].basis === 'consent' && !['consent', 'technical'].includes(retention)
      ? [`serves "${purpose}", which rests on consent, so it must be kept as consent or technical`]
      : []
  })
}

function checkTerm({ privacy }: Field, model: Model) {
  if (!privacy.personal || privacy.retention === undefined) return []
  if (!Object.hasOwn(POLICIES, privacy.retention))
    return [`has the unknown retention "${privacy.retention}"`]
  // An unknown term of the model is told once, for the model.
  if (!Object.hasOwn(POLICIES, model.privacy.retention)) return []
  return POLICIES[privacy.retention].longest > POLICIES[model.privacy.retention].longest
    ? ['is kept longer than the rest of its record; a field may only be kept shorter']
    : []
}

function checkErase(field: Field, model: Model) {
  const { privacy } = field
  if (!privacy.personal) return []
  if (privacy.erase !== undefined && !ERASE_OPS.includes(privacy.erase))
    return [`has the unknown erase operation "${String(privacy.erase)}"`]
  const erase = privacy.erase ?? model.privacy.onErase
  const isRewritten = erase === 'redact' || erase === 'pseudonym'
  const mistakes = []
  if (erase === 'null' && field.sequence)
    mistakes.push('erases to null, but a sequence can not be null')
  if (isRewritten && !TEXT_TYPES.includes(field.type))
    mistakes.push(`erases by ${erase}, which needs a text`)
  if (isRewritten && field.unique)
    mistakes.push(`erases by ${erase}, but is unique: the second person could not be erased`)
  if (erase === 'unlink' && field.type !== 'relation')
    mistakes.push('erases by unlink, which needs a relation')
  if (erase === 'unlink' && field.required) mistakes.push('erases by unlink, but is required')
  if (erase === 'row' && model.privacy.onErase !== 'row')
    mistakes.push('erases the whole row, which only the model can decide')
  return mistakes
}
