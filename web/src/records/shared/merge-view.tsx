import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Failure } from '#data/failure.ts'
import { formMessages } from '#messages/form.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { useSingleFlight } from '#forms/use-single-flight.ts'
import { isLong } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import { Icon } from '#ui/icon.tsx'
import { Cell } from '#records/shared/cell.tsx'
import { diffWords } from '#records/shared/word-diff.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'
import type { Clash, Merge } from '#data/merge.ts'

type Side = 'mine' | 'theirs'
type Labels = Record<Side | 'original', unknown>

type Props = {
  merge: Merge
  /** Display names of each side's relations. */
  labels: Labels
  onSave: (body: RecordData) => Promise<Failure | undefined>
  onBack: () => void
}

/** Nothing is preselected: the user must choose for every field. */
export function MergeView({ merge, labels, onSave, onBack }: Props) {
  const [chosen, setChosen] = useState<Record<string, Side>>({})
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  const save = useSingleFlight(async () => {
    if (merge.clashes.some(({ field }) => !chosen[field.name]))
      return setFailure({ text: formMessages.chooseAll, errors: [] })
    setFailure(null)
    setSaving(true)
    const choices = merge.clashes.map((clash) => [
      clash.field.name,
      chosen[clash.field.name] === 'theirs' ? clash.theirs : clash.mine,
    ])
    const found = await onSave({ ...merge.merged, ...Object.fromEntries(choices) })
    setSaving(false)
    setFailure(found ?? null)
  })

  return (
    <section className="panel merge" aria-labelledby="merge-title">
      <div className="merge-h">
        <h2 id="merge-title" tabIndex={-1} ref={heading}>
          {formMessages.mergeTitle}
        </h2>
        <p>{formMessages.mergeLead(merge.clashes.length)}</p>
        {merge.theirs.length > 0 && <p>{formMessages.mergeTheirs(namesOf(merge.theirs))}</p>}
        {failure && (
          <div className="note danger" role="alert">
            <Icon name="exclamation-triangle-fill" />
            <div>
              <strong>{formMessages.notSaved}</strong> {failure.text}
            </div>
          </div>
        )}
      </div>
      {merge.clashes.map((clash) => (
        <ClashRow
          key={clash.field.name}
          clash={clash}
          labels={labels}
          chosen={chosen[clash.field.name]}
          onChoose={(side) => setChosen((last) => ({ ...last, [clash.field.name]: side }))}
        />
      ))}
      <div className="foot">
        <button
          type="button"
          className="btn btn-primary btn-sm"
          disabled={isSaving}
          onClick={() => void save()}
        >
          {isSaving ? (
            <>
              <span className="spin" aria-hidden="true" /> {specifiedPageMessages.saving}
            </>
          ) : (
            formMessages.saveMerged
          )}
        </button>
        <button type="button" className="btn btn-quiet btn-sm" onClick={onBack}>
          {formMessages.backToForm}
        </button>
      </div>
    </section>
  )
}

type RowProps = {
  clash: Clash
  labels: Labels
  chosen: Side | undefined
  onChoose: (side: Side) => void
}

function ClashRow({ clash, labels, chosen, onChoose }: RowProps) {
  const { field, original } = clash
  const show = (side: Side | 'original') => (
    <Cell field={field} record={{ [field.name]: clash[side], labels: labels[side] }} />
  )
  const differing = (value: unknown) =>
    isLong(field) ? (
      <Difference before={String(original ?? '')} after={String(value ?? '')} />
    ) : null
  return (
    <fieldset className="clash">
      <legend>{field.label}</legend>
      <div className="sides">
        <div className="side">
          <span className="side-name">{formMessages.original}</span>
          <div className="side-value">{show('original')}</div>
        </div>
        {(['mine', 'theirs'] as const).map((side) => (
          <label key={side} className={chosen === side ? 'side on' : 'side'}>
            <span className="side-name">
              <input
                className="form-check-input"
                type="radio"
                name={`merge-${field.name}`}
                aria-label={CHOICE_LABELS[side](field.label)}
                checked={chosen === side}
                onChange={() => onChoose(side)}
              />
              {formMessages[side]}
            </span>
            <div className="side-value">{differing(clash[side]) ?? show(side)}</div>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const Difference = ({ before, after }: { before: string; after: string }): ReactNode =>
  diffWords(before, after).map(({ kind, text }, index) => {
    const key = `${index} ${kind}`
    if (kind === 'same') return <span key={key}>{text}</span>
    return kind === 'added' ? <ins key={key}>{text}</ins> : <del key={key}>{text}</del>
  })

const CHOICE_LABELS = { mine: formMessages.useMine, theirs: formMessages.useTheirs }

const namesOf = (fields: DefinitionField[]) => fields.map(({ label }) => label)
