import { typeOf } from '#forms/values.ts'
import { formatDay, formatInstant } from '#content/dates.ts'
import { texts } from '#content/texts.ts'
import type { DefinitionField } from '#models.ts'
import type { RecordData } from './loading.ts'

/** A field's value as people read it. */
export function Cell({ field, record }: { field: DefinitionField; record: RecordData }) {
  const value = record[field.name]
  if (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
    return (
      <>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{texts.empty}</span>
      </>
    )
  switch (typeOf(field)) {
    case 'boolean':
      return value === true ? texts.yes : texts.no
    case 'date':
      return formatDay(String(value))
    case 'datetime':
      return <time dateTime={String(value)}>{formatInstant(String(value))}</time>
    case 'email':
      return <a href={`mailto:${String(value)}`}>{String(value)}</a>
    case 'tel':
      return <a href={`tel:${String(value)}`}>{String(value)}</a>
    case 'url':
      return <UrlCell value={String(value)} />
    case 'multiselect':
      return Array.isArray(value) ? value.join(', ') : String(value)
    case 'select':
      return field.options?.find((option) => option.value === value)?.label ?? String(value)
    case 'relation':
      return String(Reflect.get(Object(record['labels']), field.name) ?? value)
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

/** Somebody else's definition may call anything a url: only web addresses become links. */
const UrlCell = ({ value }: { value: string }) =>
  /^https?:\/\//i.test(value) ? (
    <a href={value} rel="noopener noreferrer">
      {value}
    </a>
  ) : (
    value
  )
