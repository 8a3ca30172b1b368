import { FILE_STATES, type FileLabel } from '@gatehouse/model'

/** The files of a field, as a record's labels or a draft say them; another server may send anything. */
export function readFileLabels(labels: unknown, name: string): FileLabel[] {
  const found: unknown = Reflect.get(Object(labels), name)
  return Array.isArray(found) ? found.filter(isFileLabel) : []
}

/** Whether it can be shown on the page: types that the server sends as pictures. */
export const isPicture = ({ type, state }: FileLabel) =>
  state === 'ready' && /^image\/(png|jpeg|gif|webp|avif)$/.test(type)

const isFileLabel = (value: unknown): value is FileLabel => {
  const { id, name, type, size, state } = Object(value) as Record<string, unknown>
  return (
    [id, name, type].every((text) => typeof text === 'string') &&
    typeof size === 'number' &&
    FILE_STATES.some((one) => one === state)
  )
}
