import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useAuth } from 'react-oidc-context'
import { useFetcher } from 'react-router'
import { detailMessages } from '#messages/detail.ts'
import { writeMessages } from '#messages/write.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { RecordRow } from '#forms/record-row.tsx'
import { useUnsavedValues } from '#forms/record-draft.ts'
import { useRecordDraft } from '#forms/use-record-draft.tsx'
import { violationOf } from '#forms/rules.ts'
import { useSubmit } from '#forms/use-submit.ts'
import { isLong } from '#forms/inputs/types.ts'
import { fromInput, toInput, type FormField, type FormValues } from '#forms/inputs/values.ts'
import { merge } from '#data/merge.ts'
import { etagOf, type Base, type Conflict } from '#data/mutate.ts'
import type { Definition } from '#data/definitions.ts'
import type { RefusedAction } from '#records/shared/actions.ts'
import { quickAddress } from './quick-draft.ts'
import { MergeView } from '#records/shared/lazy-merge-view.tsx'
import type { RecordData } from '#records/shared/loader-errors.ts'

type Props = {
  definition: Definition
  field: FormField
  record: RecordData
  /** Opened by the user, not with the page. */
  isFocused: boolean
  onDone: () => void
}

/** Edits one field in place, through the route's action, with the version shown. */
export function QuickEdit({ definition, field, record, isFocused, onDone }: Props) {
  const sub = useAuth().user?.profile.sub ?? ''
  // Constant: the page may revalidate while the field is open.
  const [current] = useState(() => ({ record, etag: etagOf(record['version']) }))
  const unsaved = useRecordDraft({
    sub,
    address: quickAddress(definition, record, field.name),
    fields: [field],
    current,
  })
  return (
    <>
      {unsaved.note}
      <QuickForm
        key={unsaved.round}
        definition={definition}
        field={field}
        unsaved={unsaved}
        isFocused={isFocused}
        onDone={onDone}
      />
    </>
  )
}

type FormProps = Omit<Props, 'record'> & { unsaved: ReturnType<typeof useRecordDraft<Base>> }

function QuickForm({ definition, field, unsaved, isFocused, onDone }: FormProps) {
  const fetcher = useFetcher<RefusedAction>()
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [sent, setSent] = useState<{ before: RefusedAction | undefined } | null>(null)
  const { record } = unsaved.base
  const start = { [field.name]: toInput(field, record[field.name]) }
  const [label, setLabel] = useState(
    () => unsaved.draft?.labels[field.name] ?? labelOf(record, field.name),
  )
  const form = useForm<FormValues>({ defaultValues: { ...start, ...unsaved.draft?.values } })
  const value = useWatch({ control: form.control, name: field.name })
  const values = { [field.name]: value ?? '' }
  useUnsavedValues(
    [field],
    { start, values, labels: label ? { [field.name]: label } : {} },
    unsaved.keep,
  )
  const failure = fetcher.state === 'idle' ? fetcher.data : undefined
  const isBusy = fetcher.state !== 'idle'

  useEffect(() => {
    if (isFocused) document.getElementById(`quick-${field.name}`)?.focus()
  }, [field.name, isFocused])
  const finish = useEffectEvent(() => {
    unsaved.forget()
    onDone()
  })
  useEffect(() => {
    // After a success, `data` still holds the previous rejection.
    if (sent && fetcher.state === 'idle' && fetcher.data === sent.before) finish()
  }, [sent, fetcher.state, fetcher.data])

  const typedBody = () => ({
    [field.name]: fromInput(field, form.getValues(field.name), record[field.name]),
  })
  async function submit(upon: RecordData, body: RecordData) {
    const before = fetcher.data
    const query = new URLSearchParams({ version: String(upon['version']) })
    await fetcher.submit(JSON.stringify(body), {
      method: 'PUT',
      action: `/${definition.path.toLowerCase()}/${encodeURIComponent(String(record['id']))}?${query}`,
      encType: 'application/json',
    })
    setSent({ before })
  }
  // Another user saved meanwhile: a change to another field is retried, to this one the user chooses.
  const onRejected = useEffectEvent(({ current }: RefusedAction) => {
    if (!current) return setConflict(null)
    const merged = merge([field], {
      original: record,
      mine: typedBody(),
      current: current.record,
    })
    if (merged.clashes.length === 0) void submit(current.record, merged.merged)
    else setConflict({ kind: 'conflict', merge: merged, base: current })
  })
  useEffect(() => {
    // oxlint-disable-next-line react-hooks/set-state-in-effect -- set when the response arrives, not in the effect
    if (fetcher.data) onRejected(fetcher.data)
  }, [fetcher.data])

  const onSubmit = useSubmit(form.handleSubmit(() => submit(record, typedBody())))

  /** Enter saves, in a long text Ctrl+Enter; an open list of options handles its own keys. */
  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return
    if (event.key === 'Escape') return onDone()
    const isSave = event.key === 'Enter' && (!isLong(field) || event.ctrlKey || event.metaKey)
    if (!isSave || event.target.closest('button, a')) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }

  if (conflict)
    return (
      <MergeView
        key={conflict.base.etag}
        merge={conflict.merge}
        labels={{
          original: record['labels'],
          mine: { ...Object(record['labels']), ...(label ? { [field.name]: label } : {}) },
          theirs: conflict.base.record['labels'],
        }}
        onSave={async (body) => {
          await submit(conflict.base.record, body)
          return undefined
        }}
        onBack={() => setConflict(null)}
      />
    )
  return (
    // The keys belong to its inputs.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form method="post" className="quick-form" noValidate onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <RecordRow
        idPrefix="quick"
        field={field}
        register={form.register(field.name, {
          validate: (typed) => violationOf(field, typed, record[field.name]) ?? true,
        })}
        value={value}
        message={
          form.formState.errors[field.name]?.message ??
          failure?.errors.find((one) => one.field === field.name)?.message ??
          failure?.text
        }
        label={label}
        onLabel={setLabel}
      />
      <div className="acts">
        <button type="submit" className="btn btn-primary btn-sm" disabled={isBusy}>
          {isBusy ? specifiedPageMessages.saving : detailMessages.save}
        </button>
        <button type="button" className="btn btn-quiet btn-sm" onClick={onDone}>
          {writeMessages.cancel}
        </button>
      </div>
    </form>
  )
}

const labelOf = (record: RecordData, name: string) => {
  const label: unknown = Reflect.get(Object(record['labels']), name)
  return typeof label === 'string' ? label : undefined
}
