import { record as words } from '#content/record.ts'
import { typeOf } from '#forms/values.ts'
import type { DefinitionField } from '#models.ts'
import { Cell } from './cell.tsx'
import { wordDifference } from './difference.ts'

type Props = { field: DefinitionField; before: unknown; after: unknown }

/** What became of one field: word by word in texts, before and after in everything else. */
export function Difference({ field, before, after }: Props) {
  if (LONG.includes(typeOf(field)) && typeof before === 'string' && typeof after === 'string')
    return <WordDifference before={before} after={after} />
  const side = (value: unknown) => <Cell field={field} record={{ [field.name]: value }} isWhole />
  return (
    <span className="became">
      <del>
        <span className="visually-hidden">{words.before}: </span>
        {side(before)}
      </del>
      <span aria-hidden="true"> → </span>
      <ins>
        <span className="visually-hidden">{words.after}: </span>
        {side(after)}
      </ins>
    </span>
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
