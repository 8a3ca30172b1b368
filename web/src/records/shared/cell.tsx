import { Link } from 'react-router'
import type { CellName } from '@gatehouse/model'
import type { ReactNode } from 'react'
import { fieldFacts, isTrue } from '#forms/inputs/types.ts'
import { recordMessages } from '#messages/record.ts'
import type { DefinitionField } from '#data/field.ts'
import { definitionAt } from '#data/definitions.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'
import { Tone } from '#ui/tone.tsx'
import type { RecordData } from './loader-errors.ts'
import { Scale } from './scale.tsx'
import { readFileLabels } from '#files/file-labels.ts'
import { isEmptyValue, valueText } from './value-text.ts'

export { isEmptyValue }

type Props = {
  field: DefinitionField
  record: RecordData
  /** On the detail page: links to related records, full texts. */
  isWhole?: boolean
  /** Path of the record's model: its files can be opened. */
  model?: string | null
}

export function Cell({ field, record, isWhole = false, model = null }: Props) {
  const value = record[field.name]
  if (isEmptyValue(value))
    return (
      <>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{recordMessages.empty}</span>
      </>
    )
  const Shown = CELLS[fieldFacts(field).cell]
  return <Shown field={field} record={record} isWhole={isWhole} model={model} />
}

type CellProps = Required<Props>

const valueOf = ({ field, record }: CellProps) => String(record[field.name])

/** An unescaped `?` would start mailto headers. */
const linkTo = (scheme: string) => (props: CellProps) => (
  <a href={`${scheme}:${encodeURIComponent(valueOf(props))}`}>{valueOf(props)}</a>
)

function OptionCell({ field, record }: CellProps) {
  const step = field.options?.findIndex((one) => one.value === String(record[field.name])) ?? -1
  const option = field.options?.[step]
  const word = valueText(field, record)
  if (option && field.scale)
    return <Scale step={step} of={field.options?.length ?? 0} word={word} />
  return option?.tone ? <Tone tone={option.tone} word={word} isPlain /> : word
}

function RelationCell({ field, record, isWhole }: CellProps) {
  const id = String(record[field.name])
  const label = valueText(field, record)
  const target = field.to && isWhole ? definitionAt(field.to) : undefined
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
function UrlCell(props: CellProps) {
  const value = valueOf(props)
  if (!/^https?:\/\//i.test(value)) return value
  return (
    <a href={value} rel="noopener noreferrer">
      {value}
    </a>
  )
}

function FilesCell({ field, record, isWhole, model }: CellProps) {
  const loaded = useLazyModule(fileList, isWhole && model !== null)
  if (!loaded || model === null) return valueText(field, record)
  return (
    <loaded.FileList
      record={`${model}/${String(record['id'])}`}
      label={field.label}
      files={readFileLabels(record['labels'], field.name)}
    />
  )
}
const fileList = lazyModule(recordMessages.files, () => import('#files/file-list.tsx'))

/** The element of each name in the field types; a new name does not compile without one. */
const CELLS = {
  text: ({ field, record }) => valueText(field, record),
  lines: (props) =>
    props.isWhole ? <p className="whole">{valueOf(props)}</p> : firstLine(valueOf(props)),
  markdown: (props) =>
    props.isWhole ? <Markdown text={valueOf(props)} /> : firstLine(valueOf(props)),
  email: linkTo('mailto'),
  tel: linkTo('tel'),
  url: UrlCell,
  yesNo: ({ field, record }) =>
    isTrue(record[field.name]) ? recordMessages.yes : recordMessages.no,
  instant: (props) => <time dateTime={valueOf(props)}>{valueText(props.field, props.record)}</time>,
  option: OptionCell,
  relation: RelationCell,
  files: FilesCell,
} satisfies Record<CellName, (props: CellProps) => ReactNode>
