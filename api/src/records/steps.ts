import type { Model } from '@gatehouse/model'
import type { Row } from '#db.ts'
import { afterCreate } from './after-create.ts'
import { afterUpdate } from './after-update.ts'
import { beforeCreate } from './before-create.ts'
import { beforeUpdate } from './before-update.ts'
import { createRecord, updateRecord, type Changing } from './change.ts'

/** A creation with what its model says comes before and after it. */
export async function createWithSteps(changing: Changing, body: Row) {
  const { model } = changing
  const decided = await beforeCreate[model.beforeCreate ?? '']?.(changing, body)
  const made = await createRecord(changing, body, decided)
  const isConfirmed = (await afterCreate[model.afterCreate ?? '']?.(changing, made.row)) ?? null
  return { ...made, isConfirmed }
}

/** A change with what its model says comes before and after it. Returns whether anything changed. */
export async function updateWithSteps(changing: Changing, id: string, body: Row, ifMatch?: string) {
  const { model } = changing
  const decide = beforeUpdate[model.beforeUpdate ?? '']
  const { before, after, isChanged } = await updateRecord(changing, id, { body, ifMatch, decide })
  await afterUpdate[model.afterUpdate ?? '']?.(changing, before, after)
  return isChanged
}

const STEPS = { beforeCreate, afterCreate, beforeUpdate, afterUpdate }

/** Names a model uses that no function has. Part of the start-up checks. */
export const checkSteps = (models: Model[]) =>
  models.flatMap((model) =>
    Object.entries(STEPS).flatMap(([step, known]) => {
      const name = model[step as keyof typeof STEPS]
      return name === null || Object.hasOwn(known, name)
        ? []
        : [`${model.path}: ${step} names "${name}", which is not there`]
    }),
  )
