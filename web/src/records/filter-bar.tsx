import { lazy, Suspense } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link } from 'react-router'
import { toVisitor } from '#auth.ts'
import { listTexts } from '#content/list.ts'
import { texts } from '#content/texts.ts'
import { canDo, type Definition, type DefinitionField } from '#models.ts'
import { Icon } from '#ui/icon.tsx'
import { Popover } from '#ui/popover.tsx'
import { toDraft } from './filter-draft.ts'
import { chipWords, sentenceOf, type Vocabulary } from './filter-words.ts'
import { answersQuestions } from './list-columns.ts'
import { toFilter, writeFilter, type Chip } from './list-filter.ts'
import { changed, type ListQuery } from './list-query.ts'
import type { RecordData } from './loading.ts'
import { useRelatedNames } from './related-names.ts'
import { SearchBox } from './search-box.tsx'

/** Most lists are only read: these come when somebody opens them. */
const FilterEditor = lazy(async () => ({
  default: (await import('./filter-editor.tsx')).FilterEditor,
}))
const ViewMenu = lazy(async () => ({ default: (await import('./view-menu.tsx')).ViewMenu }))

type Props = {
  definition: Definition
  query: ListQuery
  chips: Chip[]
  items: RecordData[]
  columns: DefinitionField[]
}

/** Search first, then what narrows the list, a way to narrow it further, and how it is shown. */
export function FilterBar({ definition, query, chips, items, columns }: Props) {
  const { fields, title } = definition.viewData
  const names = useRelatedNames({ fields, chips, items })
  if (!answersQuestions(definition) && chips.length === 0) return null
  const vocabulary = { fields, names }
  const sentence = sentenceOf({ title, q: query.q, chips }, vocabulary)
  const show = (next: Chip[]) => query.change({ filter: writeFilter(toFilter(next)) })

  /** What had the focus goes with the chip: the way to the next one gets it. */
  function remove(place: number, button: HTMLElement) {
    button.closest('.filterbar')?.querySelector<HTMLElement>('.chip.add')?.focus()
    show(chips.toSpliced(place, 1))
  }

  return (
    <div className="filterbar" role="search" aria-label={listTexts.search(title)}>
      {fields.some(({ searchable }) => searchable) && <SearchBox title={title} query={query} />}
      {chips.map((chip, place) => (
        <ChipView
          // Chips have no name of their own, and the same filter may stand there twice.
          // oxlint-disable-next-line react/no-array-index-key
          key={place}
          chip={chip}
          vocabulary={vocabulary}
          sentence={sentence}
          onChange={(next) => show(chips.toSpliced(place, 1, next))}
          onRemove={(button) => remove(place, button)}
        />
      ))}
      <Popover
        button={
          <>
            <Icon name="plus" /> {listTexts.filter}
          </>
        }
        buttonClass="chip add"
        label={listTexts.addFilter}
      >
        {(close) => (
          <Suspense fallback={<Wait />}>
            <FilterEditor
              vocabulary={vocabulary}
              chip={null}
              onApply={(chip) => {
                close()
                show([...chips, chip])
              }}
            />
          </Suspense>
        )}
      </Popover>
      <p className="visually-hidden" role="status">
        {sentence}
      </p>
      <span className="bar-end">
        <TrashSwitch definition={definition} query={query} />
        <Popover
          button={<Icon name="layout-three-columns" />}
          name={listTexts.view}
          title={listTexts.view}
          buttonClass="btn btn-quiet btn-icon btn-sm"
          label={listTexts.view}
        >
          {() => (
            <Suspense fallback={<Wait />}>
              <ViewMenu definition={definition} columns={columns} query={query} />
            </Suspense>
          )}
        </Popover>
      </span>
    </div>
  )
}

type ChipProps = {
  chip: Chip
  vocabulary: Vocabulary
  sentence: string
  onChange: (chip: Chip) => void
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
          name={listTexts.editFilter(name)}
          title={sentence}
          buttonClass="chip-words"
          label={listTexts.editFilter(name)}
        >
          {(close) => (
            <Suspense fallback={<Wait />}>
              <FilterEditor
                vocabulary={vocabulary}
                chip={chip}
                onApply={(next) => {
                  close()
                  onChange(next)
                }}
                onRemove={onRemove}
              />
            </Suspense>
          )}
        </Popover>
      )}
      <button
        type="button"
        className="chip-remove"
        aria-label={listTexts.removeFilter(name)}
        onClick={({ currentTarget }) => onRemove(currentTarget)}
      >
        <Icon name="x" />
      </button>
    </span>
  )
}

/** Deleted records lie in a list of their own, for those who may delete. */
function TrashSwitch({ definition, query }: Pick<Props, 'definition' | 'query'>) {
  const canDelete = canDo(definition, 'delete', toVisitor(useAuth().user))
  if (!definition.trash || !canDelete) return null
  return (
    <Link
      className="btn btn-quiet btn-sm trash-switch"
      to={{ search: changed(query.search, { trash: query.isTrash ? null : 'true' }) }}
      aria-current={query.isTrash || undefined}
    >
      <Icon name="trash3" />{' '}
      {query.isTrash ? listTexts.leaveTrash(definition.viewData.title) : listTexts.trash}
    </Link>
  )
}

const Wait = () => (
  <p className="late" role="status">
    {texts.loading}
  </p>
)
