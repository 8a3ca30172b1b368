import { historyMessages } from '#messages/history.ts'
import { fieldFacts } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import { Cell } from '#records/shared/cell.tsx'
import { diffWords } from '#records/shared/word-diff.ts'
import type { Names } from '#records/query/filter-labels.ts'

type Props = {
  field: DefinitionField
  before: unknown
  after: unknown
  names: Names
}

export function Difference({ field, before, after, names }: Props) {
  if (fieldFacts(field).text?.isFreeText && typeof before === 'string' && typeof after === 'string')
    return <WordDifference before={before} after={after} />
  const side = (value: unknown) => <Side field={field} value={value} names={names} />
  if (before === null) return side(after)
  return (
    <span className="became">
      <del>
        <span className="visually-hidden">{historyMessages.before}: </span>
        {side(before)}
      </del>
      <span aria-hidden="true"> → </span>
      <ins>
        <span className="visually-hidden">{historyMessages.after}: </span>
        {side(after)}
      </ins>
    </span>
  )
}

type SideProps = Pick<Props, 'field' | 'names'> & { value: unknown }

function Side({ field, value, names }: SideProps) {
  const isRelated = field.to && typeof value === 'string'
  const labels = isRelated ? { [field.name]: names[value] ?? value } : undefined
  return <Cell field={field} record={{ [field.name]: value, labels }} isWhole />
}

const WordDifference = ({ before, after }: { before: string; after: string }) => (
  <p className="whole">
    {diffWords(before, after).map(({ kind, text }, place) =>
      kind === 'same' ? (
        <span key={place}>{text}</span>
      ) : kind === 'added' ? (
        <ins key={place}>{text}</ins>
      ) : (
        <del key={place}>{text}</del>
      ),
    )}
  </p>
)
