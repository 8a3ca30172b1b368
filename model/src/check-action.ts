import { ACCESS_LEVELS } from './access.ts'
import type { ModelAction } from './action.ts'
import { checkField } from './check-field.ts'
import type { Model } from './model.ts'

const NAME = /^[a-z]{2,40}$/
/** The addresses below a record that every model has. */
const TAKEN = ['about', 'history', 'neighbours', 'restore', 'purge']

/** Mistakes in the actions of a definition. */
export const checkActions = (model: Model, models: Model[]): string[] =>
  Object.entries(model.actions).flatMap(([name, action]) =>
    checkAction(model, models, [name, action]).map((mistake) => `action "${name}" ${mistake}`),
  )

function checkAction(model: Model, models: Model[], [name, action]: [string, ModelAction]) {
  const mistakes = []
  if (!NAME.test(name) || TAKEN.includes(name)) mistakes.push('has a name that can not be used')
  if (!action.label.trim()) mistakes.push('has no label')
  if (!ACCESS_LEVELS.includes(action.access))
    mistakes.push('has an access that is none of public, user and admin')
  return [
    ...mistakes,
    ...Object.entries(action.fields ?? {}).flatMap(([field, value]) =>
      checkField({ name: field, field: value, model, models }).map(
        (mistake) => `field "${field}" ${mistake}`,
      ),
    ),
  ]
}
