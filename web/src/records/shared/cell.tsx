import { Link } from 'react-router'
import { inputTypeOf, isTrue } from '#forms/inputs/types.ts'
import { recordMessages } from '#messages/record.ts'
import type { DefinitionField } from '#data/field.ts'
import { definitionAt } from '#data/definitions.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'
import { Tone } from '#ui/tone.tsx'
import type { RecordData } from './loader-errors.ts'
import { Scale } from './scale.tsx'
import { isEmptyValue, valueText } from './value-text.ts'

export { isEmptyValue }

type Props = {
  field: DefinitionField
  record: RecordData
  /** On the detail page: links to related records, full texts. */
  isWhole?: boolean
}

export function Cell({ field, record, isWhole = false }: Props) {
  const value = record[field.name]
  if (isEmptyValue(value))
    return (
      <>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{recordMessages.empty}</span>
      </>
    )
  switch (inputTypeOf(field)) {
    case 'boolean':
    case 'checkbox':
      return isTrue(value) ? recordMessages.yes : recordMessages.no
    case 'datetime':
    case 'datetime-local':
      return <time dateTime={String(value)}>{valueText(field, record)}</time>
    case 'email':
      // An unescaped `?` would start mailto headers.
      return <a href={`mailto:${encodeURIComponent(String(value))}`}>{String(value)}</a>
    case 'tel':
      return <a href={`tel:${encodeURIComponent(String(value))}`}>{String(value)}</a>
    case 'url':
      return <UrlCell value={String(value)} />
    case 'select':
    case 'radio':
      return <SelectCell field={field} record={record} />
    case 'relation':
      return <RelationCell field={field} record={record} isLink={isWhole} />
    case 'markdown':
      return isWhole ? <Markdown text={String(value)} /> : firstLine(String(value))
    case 'textarea':
      return isWhole ? <p className="whole">{String(value)}</p> : firstLine(String(value))
    default:
      return valueText(field, record)
  }
}

function SelectCell({ field, record }: Omit<Props, 'isWhole'>) {
  const step = field.options?.findIndex((one) => one.value === String(record[field.name])) ?? -1
  const option = field.options?.[step]
  const word = valueText(field, record)
  if (option && field.scale)
    return <Scale step={step} of={field.options?.length ?? 0} word={word} />
  return option?.tone ? <Tone tone={option.tone} word={word} isPlain /> : word
}

function RelationCell({ field, record, isLink }: Omit<Props, 'isWhole'> & { isLink: boolean }) {
  const id = String(record[field.name])
  const label = valueText(field, record)
  const target = field.to && isLink ? definitionAt(field.to) : undefined
  if (!target) return label
  return <Link to={`/${target.path.toLowerCase()}/${encodeURIComponent(id)}`}>{label}</Link>
}

/** Lazy-loaded; shows the raw text until then. */
function Markdown({ text }: { text: string }) {
  const loaded = useLazyModule(markdown)
  if (loaded) return <loaded.Markdown text={text} />
  return (
    <>
      <p className="whole">{text}</p>
      <LazyModuleFailed part={markdown} />
    </>
  )
}
const markdown = lazyModule(recordMessages.formatting, () => import('#ui/markdown.tsx'))

const firstLine = (text: string) => text.trim().split('\n', 1)[0] ?? ''

/** Data may contain any scheme: only http(s) becomes a link. */
const UrlCell = ({ value }: { value: string }) =>
  /^https?:\/\//i.test(value) ? (
    <a href={value} rel="noopener noreferrer">
      {value}
    </a>
  ) : (
    value
  )
