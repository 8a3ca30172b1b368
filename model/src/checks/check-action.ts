import { ACCESS_LEVELS, reaches } from '#definition/access.ts'
import type { ModelAction } from '#definition/action.ts'
import { isServerOnly } from '#definition/fields.ts'
import { conditionsOf } from '#definition/filter.ts'
import { fieldOf, type Model } from '#definition/model.ts'
import type { Known } from './check-claims.ts'
import { checkField } from './check-field.ts'

const NAME = /^[a-z]{2,40}$/
/** The addresses that every model has beside its records, or each record below it. */
const TAKEN = ['about', 'history', 'neighbours', 'restore', 'purge', 'form-metadata']

/** Mistakes in the actions of a definition. */
export const checkActions = (model: Model, known: Known): string[] =>
  Object.entries(model.actions).flatMap(([name, action]) =>
    [
      ...checkAction(name, action),
      ...checkWhen(model, action),
      ...checkForm(model, known, action),
    ].map((mistake) => `action "${name}" ${mistake}`),
  )

function checkAction(name: string, { label, access, confirm, done }: ModelAction) {
  const mistakes = []
  if (!NAME.test(name) || TAKEN.includes(name)) mistakes.push('has a name that can not be used')
  if (!label.trim()) mistakes.push('has no label')
  if (!ACCESS_LEVELS.includes(access))
    mistakes.push('has an access that is none of public, user and admin')
  if (!done?.trim()) mistakes.push('does not say that it is done')
  if (confirm !== undefined && !confirm.trim()) mistakes.push('asks an empty question')
  return mistakes
}

/** Whether an action is possible tells what its condition asks. */
const checkWhen = (model: Model, { access, when }: ModelAction) =>
  (when ? conditionsOf(when) : [])
    .filter(([name]) => !reaches(access, fieldOf(model, name)?.visibleTo ?? 'public'))
    .map(([name]) => `depends on "${name}", which not everyone who may do it can see`)

const checkForm = (model: Model, known: Known, { fields = {} }: ModelAction) =>
  Object.entries(fields).flatMap(([name, field]) =>
    [
      ...checkField({ name, field, model, ...known }),
      ...(isServerOnly(field) || field.stamp ? ['is filled in by the server'] : []),
    ].map((mistake) => `field "${name}" ${mistake}`),
  )
