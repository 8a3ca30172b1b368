import { useMemo, useState, type ComponentProps, type ReactNode } from 'react'
import { useAuth } from 'react-oidc-context'
import {
  Link,
  useLoaderData,
  useLocation,
  useNavigate,
  useParams,
  useRevalidator,
} from 'react-router'
import type { Failure } from '#data/client.ts'
import { currentUser, toVisitor } from '#auth/auth.ts'
import { formMessages } from '#messages/form.ts'
import { recordMessages } from '#messages/record.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { showToast } from '#feedback/toasts.tsx'
import { useAttempt } from '#forms/attempt.ts'
import { CreateRelated, type CreateRelatedProps } from '#forms/inputs/create-related.ts'
import { recordForDraft } from '#forms/record-draft.ts'
import { RecordForm } from '#forms/record-form.tsx'
import { keptIfEmpty, type FormField } from '#forms/inputs/values.ts'
import { prepareInputs } from '#forms/inputs/record-inputs.tsx'
import type { Way } from '#forms/save-button.tsx'
import { canDo, definitionAt, nameOf, type Definition } from '#data/definitions.ts'
import { buildPart, PartFailed, usePart } from '#ui/part.tsx'
import {
  displayOf,
  guarded,
  loadFormFields,
  loadRecordToEdit,
  type RecordData,
} from '#records/record/loading.ts'
import type * as Merge from './merge-view.tsx'
import {
  createRecord,
  updateRecord,
  type Base,
  type Conflict,
  type Outcome,
} from '#records/record/saving.ts'
import { undoAction } from '#data/undo.ts'
import { RestoredNote, useUnsaved } from './unsaved.tsx'
import '#styles/records.scss'

export const loadCreate = (definition: Definition, request: Request) =>
  guarded(async () => ({
    definition,
    fields: await loadFields(definition, request.signal),
    sub: await currentSub(),
  }))

export const loadEdit = (definition: Definition, id: string, request: Request) =>
  guarded(async () => {
    const [fields, loaded, sub] = await Promise.all([
      loadFields(definition, request.signal),
      loadRecordToEdit(definition, id, request.signal),
      currentSub(),
    ])
    const changeable = fields.filter(({ immutable }) => !immutable).map(keptIfEmpty)
    return { definition, fields: changeable, sub, ...loaded }
  })

/** What a record is known by takes the whole width. */
async function loadFields(definition: Definition, signal: AbortSignal) {
  const fields = await loadFormFields(definition, signal)
  await prepareInputs(fields)
  return fields.map((field) =>
    field.name === definition.viewData.displayField ? { ...field, isWide: true } : field,
  )
}

/** Whose drafts these are. */
const currentSub = async () => (await currentUser())?.profile.sub ?? ''

export function Create() {
  const data = useLoaderData<Awaited<ReturnType<typeof loadCreate>>>()
  // "Save and new" begins again, with nothing of the form before.
  const [round, setRound] = useState(0)
  const begin = () => setRound((last) => last + 1)
  return <CreatePage key={`${data.definition.path} ${round}`} {...data} onAgain={begin} />
}

type CreateProps = Awaited<ReturnType<typeof loadCreate>> & { onAgain: () => void }

function CreatePage({ definition, fields, sub, onAgain }: CreateProps) {
  const navigate = useNavigate()
  const attempt = useAttempt()
  const list = `/${definition.path.toLowerCase()}`
  const unsaved = useUnsaved({ sub, address: definition.path })

  async function save(body: RecordData, way: Way): Promise<Failure | undefined> {
    const outcome = await createRecord(definition, body, attempt.keyOf(body))
    if (outcome.kind === 'failed') return outcome.failure
    if (outcome.kind !== 'saved') return undefined
    const { record, operationId } = outcome
    attempt.hasArrived()
    unsaved.forget()
    showToast({
      message: specifiedPageMessages.created(nameOf(definition), displayOf(definition, record)),
      type: 'success',
      ...(await undoAction({
        definition,
        done: 'create',
        operationId,
        onUndone: () => void navigate(list),
      })),
    })
    const { id } = record
    if (way === 'new') onAgain()
    else if (way === 'stay' && (typeof id === 'string' || typeof id === 'number'))
      await navigate(`${list}/edit/${encodeURIComponent(id)}`)
    else await navigate(list)
    return undefined
  }

  return (
    <FormPage title={siteMessages.create(nameOf(definition))}>
      {unsaved.draft && (
        <RestoredNote
          onDiscard={() => {
            unsaved.forget()
            onAgain()
          }}
        />
      )}
      <RecordForm
        fields={fields}
        typed={unsaved.draft}
        saveLabel={formMessages.create}
        ways={WAYS}
        cancel={<CancelLink to={list} />}
        onTyped={(typed) => unsaved.keep(typed, null)}
        onSave={save}
      />
      {unsaved.guard}
    </FormPage>
  )
}

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
  const unsaved = useUnsaved({ sub, address: `${definition.path}/${id}` })
  // What was typed was typed upon the record as it was then: that is what it is compared with when it is saved.
  const [pinned, setPinned] = useState<Base | null>(() =>
    unsaved.draft?.record
      ? { record: { ...record, ...unsaved.draft.record }, etag: unsaved.draft.etag }
      : null,
  )
  const base = pinned ?? { record, etag }
  const [conflict, setConflict] = useState<(Conflict & { way: Way }) | null>(null)
  const [round, setRound] = useState(0)

  async function settle(outcome: Outcome, way: Way): Promise<Failure | undefined> {
    if (outcome.kind === 'failed') return outcome.failure
    if (outcome.kind === 'conflict') {
      setConflict({ ...outcome, way })
      return undefined
    }
    unsaved.forget()
    setPinned(null)
    showToast({
      message: specifiedPageMessages.updated(
        nameOf(definition),
        displayOf(definition, outcome.record),
      ),
      type: 'success',
      ...(await undoAction({
        definition,
        done: 'update',
        operationId: outcome.operationId,
        onUndone: () => void revalidate(),
      })),
    })
    if (outcome.theirs.length > 0)
      showToast({
        message: formMessages.mergedTheirs(outcome.theirs.map(({ label }) => label).join(', ')),
        type: 'info',
      })
    if (way === 'stay') {
      await revalidate()
      setConflict(null)
    } else await navigate(way === 'new' ? `${list}/create` : detail, way === 'new' ? {} : handOn)
    return undefined
  }
  const save = async (upon: Base, body: RecordData, way: Way) =>
    settle(
      await updateRecord(definition, { id: encodeURIComponent(id), fields, base: upon, body }),
      way,
    )

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
          onSave={(body) => save(conflict.base, body, conflict.way)}
          onBack={() => setConflict(null)}
        />
      )}
      <div hidden={conflict !== null}>
        {unsaved.draft && (
          <RestoredNote
            onDiscard={() => {
              unsaved.forget()
              setPinned(null)
              setRound(round + 1)
            }}
          />
        )}
        <RecordForm
          key={round}
          fields={fields}
          record={base.record}
          typed={unsaved.draft}
          saveLabel={formMessages.saveChanges}
          ways={WAYS}
          cancel={<CancelLink to={detail} {...handOn} />}
          onTyped={(typed) => {
            setPinned(typed && base)
            unsaved.keep(typed, baseForDraft(fields, base))
          }}
          onSave={(body, way) => save(base, body, way)}
        />
      </div>
      {unsaved.guard}
    </FormPage>
  )
}

/** Where a server tells no version, what others changed can't be told from what is mine: only what was typed is kept. */
const baseForDraft = (fields: FormField[], { record, etag }: Base): Base | null =>
  etag === null ? null : { record: recordForDraft(fields, record), etag }

const WAYS: { way: Way; label: string }[] = [
  { way: 'stay', label: formMessages.saveAndStay },
  { way: 'new', label: formMessages.saveAndNew },
]

type PageProps = { title: string; about?: string; children: ReactNode }

function FormPage({ title, about, children }: PageProps) {
  const visitor = toVisitor(useAuth().user)
  const role = visitor?.role
  const creation = useMemo(
    () => ({
      canCreate(to: string) {
        const definition = definitionAt(to)
        return definition !== undefined && canDo(definition, 'create', visitor)
      },
      Drawer: RelatedDrawer,
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a visitor is made anew with every render, the role is not
    [role],
  )
  return (
    <>
      <title>{title}</title>
      <div className="work-h">
        <h1>{title}</h1>
        {about && <span className="cnt">{about}</span>}
      </div>
      <CreateRelated value={creation}>{children}</CreateRelated>
    </>
  )
}

const CancelLink = (props: { to: string; state?: object }) => (
  <Link className="btn btn-quiet btn-sm" {...props}>
    {formMessages.cancel}
  </Link>
)

/** The list somebody came from, for the page they go back to. */
function useListState() {
  const list: unknown = Reflect.get(Object(useLocation().state), 'list')
  return typeof list === 'string' ? { state: { list } } : {}
}

const mergeView = buildPart(formMessages.parts.comparison, () => import('./merge-view.tsx'))

function MergeView(props: ComponentProps<typeof Merge.MergeView>) {
  const loaded = usePart(mergeView)
  if (loaded) return <loaded.MergeView {...props} />
  return <PartFailed part={mergeView} onClose={props.onBack} isInline />
}

const drawer = buildPart(formMessages.parts.form, () => import('./create-drawer.tsx'))

function RelatedDrawer(props: CreateRelatedProps) {
  const loaded = usePart(drawer)
  if (loaded) return <loaded.CreateDrawer {...props} />
  return <PartFailed part={drawer} onClose={props.onClose} />
}
