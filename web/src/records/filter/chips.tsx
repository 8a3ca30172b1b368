import { filterMessages } from '#messages/filter.ts'
import type { DefinitionField } from '#data/field.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { toDraft } from '#records/query/filter-draft.ts'
import { FilterEditor } from './lazy-editor.tsx'
import {
  chipLabel,
  sentenceOf,
  type Names,
  type FilterContext,
} from '#records/query/filter-labels.ts'
import type { Chip } from '#records/query/filter.ts'
import type { ListQuery } from '#records/query/list-url.ts'

export { readFilterNames } from '#records/query/related-names.ts'

type Props = {
  fields: DefinitionField[]
  title: string
  query: ListQuery
  chips: Chip[]
  names: Names
  show: (chips: Chip[], names?: Names) => void
}

export function FilterChips({ fields, title, query, chips, names, show }: Props) {
  const context = { fields, names }
  const sentence = sentenceOf({ title, q: query.q, chips }, context)

  /** The focused button unmounts with its chip: Add filter gets the focus. */
  function remove(index: number, button: HTMLElement) {
    button.closest('.filterbar')?.querySelector<HTMLElement>('.chip.add')?.focus()
    show(chips.toSpliced(index, 1))
  }

  return (
    <>
      {chips.map((chip, index) => (
        <ChipView
          // Chips have no id, and duplicates are possible.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          chip={chip}
          context={context}
          sentence={sentence}
          onChange={(next, named) => show(chips.toSpliced(index, 1, next), named)}
          onRemove={(button) => remove(index, button)}
        />
      ))}
      <p className="visually-hidden" role="status">
        {sentence}
      </p>
    </>
  )
}

type ChipProps = {
  chip: Chip
  context: FilterContext
  sentence: string
  onChange: (chip: Chip, names: Names) => void
  onRemove: (button: HTMLElement) => void
}

/** A chip: its text opens the editor, its cross removes it. Conditions the editor can't show are only text. */
function ChipView({ chip, context, sentence, onChange, onRemove }: ChipProps) {
  const { label, text } = chipLabel(chip, context)
  const name = `${label} ${text}`
  const content = (
    <>
      <span>{label}</span> <b>{text}</b>
    </>
  )
  return (
    <span className="chip">
      {toDraft(chip, context.fields) === null ? (
        <span className="chip-words" title={sentence}>
          {content}
        </span>
      ) : (
        <Popover
          button={content}
          name={filterMessages.editFilter(name)}
          title={sentence}
          buttonClass="chip-words"
          label={filterMessages.editFilter(name)}
        >
          {(close) => (
            <FilterEditor
              context={context}
              chip={chip}
              onApply={(...next) => {
                close()
                onChange(...next)
              }}
              onRemove={onRemove}
            />
          )}
        </Popover>
      )}
      <button
        type="button"
        className="chip-remove"
        aria-label={filterMessages.removeFilter(name)}
        onClick={({ currentTarget }) => onRemove(currentTarget)}
      >
        <RecordIcon name="x" />
      </button>
    </span>
  )
}
