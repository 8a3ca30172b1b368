import { ACCESS_LEVELS, reaches } from '#definition/access.ts'
import type { ModelAction } from '#definition/action.ts'
import { isServerOnly } from '#definition/fields.ts'
import { conditionsOf } from '#definition/filter.ts'
import { fieldOf, type Model } from '#definition/model.ts'
import type { DeclaredNames } from './check-claims.ts'
import { checkField } from './check-field.ts'

const NAME = /^[a-z]{2,40}$/
/** Path segments already in use below every model or record. */
const TAKEN = ['about', 'history', 'neighbours', 'restore', 'purge', 'form-metadata']

export const checkActions = (model: Model, known: DeclaredNames): string[] =>
  Object.entries(model.actions).flatMap(([name, action]) =>
    [
      ...checkAction(name, action),
      ...checkWhen(model, action),
      ...checkForm(model, known, action),
    ].map((mistake) => `action "${name}": ${mistake}`),
  )

function checkAction(name: string, { label, access, confirm, done }: ModelAction) {
  const mistakes = []
  if (!NAME.test(name) || TAKEN.includes(name))
    mistakes.push(`name must be 2 to 40 lower-case letters and none of ${TAKEN.join(', ')}`)
  if (!label.trim()) mistakes.push('label must not be empty')
  if (!ACCESS_LEVELS.includes(access)) mistakes.push('access must be public, user, admin or owner')
  if (!done?.trim()) mistakes.push('done must not be empty')
  if (confirm !== undefined && !confirm.trim()) mistakes.push('confirm must not be empty')
  return mistakes
}

/** Whether an action is offered reveals the fields of its condition. */
const checkWhen = (model: Model, { access, when }: ModelAction) =>
  (when ? conditionsOf(when) : [])
    .filter(([name]) => !reaches(access, fieldOf(model, name)?.visibleTo ?? 'public'))
    .map(([name]) => `when uses "${name}", which must be visible to everyone who may do it`)

const checkForm = (model: Model, known: DeclaredNames, { fields = {} }: ModelAction) =>
  Object.entries(fields).flatMap(([name, field]) =>
    [
      ...checkField({ name, field, model, ...known }),
      ...(isServerOnly(field) || field.stamp ? ['must not be filled in by the server'] : []),
    ].map((mistake) => `field "${name}": ${mistake}`),
  )
