import { filterMessages } from '#messages/filter.ts'
import type { DefinitionField } from '#data/field.ts'
import { Icon } from '#ui/icon.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { toDraft } from '#records/query/draft.ts'
import { FilterEditor } from './editor-part.tsx'
import { chipWords, sentenceOf, type Names, type Vocabulary } from '#records/query/words.ts'
import type { Chip } from '#records/query/filter.ts'
import type { ListQuery } from '#records/query/list-address.ts'

export { readFilterNames } from './related-names.ts'

type Props = {
  fields: DefinitionField[]
  title: string
  query: ListQuery
  chips: Chip[]
  names: Names
  show: (chips: Chip[], names?: Names) => void
}

/** What narrows the list, one chip each, and all of it as a sentence. */
export function FilterChips({ fields, title, query, chips, names, show }: Props) {
  const vocabulary = { fields, names }
  const sentence = sentenceOf({ title, q: query.q, chips }, vocabulary)

  /** What had the focus goes with the chip: the way to the next one gets it. */
  function remove(place: number, button: HTMLElement) {
    button.closest('.filterbar')?.querySelector<HTMLElement>('.chip.add')?.focus()
    show(chips.toSpliced(place, 1))
  }

  return (
    <>
      {chips.map((chip, place) => (
        <ChipView
          // Chips have no name of their own, and the same filter may stand there twice.
          // oxlint-disable-next-line react/no-array-index-key
          key={place}
          chip={chip}
          vocabulary={vocabulary}
          sentence={sentence}
          onChange={(next, named) => show(chips.toSpliced(place, 1, next), named)}
          onRemove={(button) => remove(place, button)}
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
  vocabulary: Vocabulary
  sentence: string
  onChange: (chip: Chip, names: Names) => void
  onRemove: (button: HTMLElement) => void
}

/** Its words open the editor, its cross removes it. What the editor can't show is only told. */
function ChipView({ chip, vocabulary, sentence, onChange, onRemove }: ChipProps) {
  const { label, words } = chipWords(chip, vocabulary)
  const name = `${label} ${words}`
  const text = (
    <>
      <span>{label}</span> <b>{words}</b>
    </>
  )
  return (
    <span className="chip">
      {toDraft(chip, vocabulary.fields) === null ? (
        <span className="chip-words" title={sentence}>
          {text}
        </span>
      ) : (
        <Popover
          button={text}
          name={filterMessages.editFilter(name)}
          title={sentence}
          buttonClass="chip-words"
          label={filterMessages.editFilter(name)}
        >
          {(close) => (
            <FilterEditor
              vocabulary={vocabulary}
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
        <Icon name="x" />
      </button>
    </span>
  )
}
