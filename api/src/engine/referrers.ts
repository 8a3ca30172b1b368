import { fieldsOf, type Field, type Model } from '@gatehouse/model'
import type { Engine } from './engine.ts'

export type OnDelete = NonNullable<Field['onDelete']>

export type Referrer = { model: Model; field: string; label: string; onDelete: OnDelete }

export const referrersOf = ({ models }: Engine, to: Model, kinds: OnDelete[]): Referrer[] =>
  models.flatMap((model) =>
    fieldsOf(model).flatMap(([field, { label, to: path, onDelete }]) =>
      path === to.path && onDelete && kinds.includes(onDelete)
        ? [{ model, field, label, onDelete }]
        : [],
    ),
  )

/** Lock order of models: parents before children. */
export function parentsFirst({ models }: Engine): Model[] {
  const cached = orders.get(models)
  if (cached) return cached
  const depthOf = (model: Model, below: Model[] = []): number => {
    const parents = fieldsOf(model).flatMap(([, { to, onDelete }]) =>
      models.filter(({ path }) => path === to && onDelete !== 'unlink'),
    )
    const path = [...below, model]
    const depths = parents
      .filter((parent) => !path.includes(parent))
      .map((parent) => 1 + depthOf(parent, path))
    return Math.max(0, ...depths)
  }
  const order = models.toSorted((a, b) => depthOf(a) - depthOf(b))
  orders.set(models, order)
  return order
}

/** Cached: every write needs it. */
const orders = new WeakMap<Model[], Model[]>()
