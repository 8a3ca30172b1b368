import { historyMessages } from '#messages/history.ts'
import { typeOf } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import { Cell } from '#records/record/cell.tsx'
import { wordDifference } from '#records/record/difference.ts'
import { useRelatedName } from '#records/filter/related-names.ts'

type Props = { field: DefinitionField; before: unknown; after: unknown }

/** What became of one field: word by word in texts, before and after in everything else. */
export function Difference({ field, before, after }: Props) {
  if (LONG.includes(typeOf(field)) && typeof before === 'string' && typeof after === 'string')
    return <WordDifference before={before} after={after} />
  const side = (value: unknown) => <Side field={field} value={value} />
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

function Side({ field, value }: { field: DefinitionField; value: unknown }) {
  if (field.to && typeof value === 'string') return <RelatedSide field={field} id={value} />
  return <Cell field={field} record={{ [field.name]: value }} isWhole />
}

/** A revision holds only where a relation led: what that is called now is asked for. */
function RelatedSide({ field, id }: { field: DefinitionField; id: string }) {
  const name = useRelatedName(field.to ?? '', id)
  return (
    <Cell field={field} record={{ [field.name]: id, labels: { [field.name]: name } }} isWhole />
  )
}

const LONG = ['text', 'textarea', 'markdown']

const WordDifference = ({ before, after }: { before: string; after: string }) => (
  <p className="whole">
    {wordDifference(before, after).map(({ kind, text }, place) =>
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
