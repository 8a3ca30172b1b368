import { useState } from 'react'
import { useLoaderData, useLocation, useNavigate, useParams, useRevalidator } from 'react-router'
import { formMessages } from '#messages/form.ts'
import { recordMessages } from '#messages/record.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import type { Failure } from '#data/failure.ts'
import { nameOf, type Definition } from '#data/definitions.ts'
import { mutate, type Base, type Conflict } from '#data/mutate.ts'
import { optionalOnEdit } from '#forms/inputs/values.ts'
import { RecordForm } from '#forms/record-form.tsx'
import type { AfterSave } from '#forms/save-button.tsx'
import { useRecordDraft } from '#forms/use-record-draft.tsx'
import { loadRecordToEdit } from '#records/shared/load-record.ts'
import { withLabels } from '#records/shared/labels.ts'
import { MergeView } from '#records/shared/lazy-merge-view.tsx'
import { displayOf, withLoaderErrors, type RecordData } from '#records/shared/loader-errors.ts'
import { AFTER_SAVE, CancelLink, currentSub, FormPage, loadFields } from './form-page.tsx'
import '#styles/records.scss'

export const loadEdit = (definition: Definition, id: string, request: Request) =>
  withLoaderErrors(async () => {
    const [fields, loaded, sub] = await Promise.all([
      loadFields(definition, request.signal),
      loadRecordToEdit(definition, id, request.signal),
      currentSub(),
    ])
    const changeable = fields.filter(({ immutable }) => !immutable).map(optionalOnEdit)
    const [record = loaded.record] = await withLabels(fields, [loaded.record], request.signal)
    return { definition, fields: changeable, sub, ...loaded, record }
  })

export function Edit() {
  const data = useLoaderData<Awaited<ReturnType<typeof loadEdit>>>()
  const id = useParams()['id'] ?? ''
  return <EditPage key={`${data.definition.path} ${id}`} id={id} {...data} />
}

type EditProps = Awaited<ReturnType<typeof loadEdit>> & { id: string }

function EditPage({ definition, fields, sub, record, etag, id }: EditProps) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const handOn = useListState()
  const list = `/${definition.path.toLowerCase()}`
  const detail = `${list}/${encodeURIComponent(id)}`
  const address = `${definition.path}/${id}`
  const unsaved = useRecordDraft({ sub, address, fields, current: { record, etag } })
  const { base } = unsaved
  const [conflict, setConflict] = useState<(Conflict & { after: AfterSave }) | null>(null)

  async function save(
    upon: Base,
    body: RecordData,
    after: AfterSave,
  ): Promise<Failure | undefined> {
    const outcome = await mutate({
      method: 'PUT',
      path: `${definition.routeName}/${encodeURIComponent(id)}`,
      body,
      etag: upon.etag,
      merge: { record: upon.record, fields },
      done: (saved) =>
        specifiedPageMessages.updated(nameOf(definition), displayOf(definition, saved.record)),
      undo: { of: { definition, done: 'update' }, onUndone: revalidate },
    })
    if (outcome.kind === 'failed') return outcome.failure
    if (outcome.kind === 'conflict') {
      setConflict({ ...outcome, after })
      return undefined
    }
    unsaved.forget()
    if (after === 'stay') {
      await revalidate()
      setConflict(null)
    } else await (after === 'new' ? navigate(`${list}/create`) : navigate(detail, handOn))
    return undefined
  }

  return (
    <FormPage
      title={recordMessages.editTitle(nameOf(definition))}
      about={displayOf(definition, base.record)}
    >
      {conflict && (
        <MergeView
          key={conflict.base.etag}
          merge={conflict.merge}
          labels={{
            original: base.record['labels'],
            mine: { ...Object(base.record['labels']), ...unsaved.typed?.labels },
            theirs: conflict.base.record['labels'],
          }}
          onSave={(body) => save(conflict.base, body, conflict.after)}
          onBack={() => setConflict(null)}
        />
      )}
      <div hidden={conflict !== null}>
        {unsaved.note}
        <RecordForm
          key={unsaved.round}
          fields={fields}
          record={base.record}
          typed={unsaved.draft}
          saveLabel={formMessages.saveChanges}
          afterSave={AFTER_SAVE}
          cancel={<CancelLink to={detail} {...handOn} />}
          onTyped={unsaved.keep}
          onSave={(body, after) => save(base, body, after)}
        />
      </div>
    </FormPage>
  )
}

/** Passes the originating list on. */
function useListState() {
  const list: unknown = Reflect.get(Object(useLocation().state), 'list')
  return typeof list === 'string' ? { state: { list } } : {}
}
