import { useState } from 'react'
import { useLoaderData, useNavigate } from 'react-router'
import { formMessages } from '#messages/form.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import type { Failure } from '#data/failure.ts'
import { nameOf, type Definition } from '#data/definitions.ts'
import { mutate } from '#data/mutate.ts'
import { RecordForm } from '#forms/record-form.tsx'
import { addressSuggestionOf } from '#forms/suggest-address.ts'
import type { AfterSave } from '#forms/save-button.tsx'
import { useRecordDraft } from '#forms/use-record-draft.tsx'
import { displayOf, withLoaderErrors, type RecordData } from '#records/shared/loader-errors.ts'
import { AFTER_SAVE, CancelLink, currentSub, FormPage, loadFields } from './form-page.tsx'
import '#styles/records.scss'

export const loadCreate = (definition: Definition, request: Request) =>
  withLoaderErrors(async () => ({
    definition,
    fields: await loadFields(definition, request.signal),
    sub: await currentSub(),
  }))

export function Create() {
  const data = useLoaderData<Awaited<ReturnType<typeof loadCreate>>>()
  // "Save and create another" starts a fresh form.
  const [round, setRound] = useState(0)
  const begin = () => setRound((last) => last + 1)
  return <CreatePage key={`${data.definition.path} ${round}`} {...data} onAgain={begin} />
}

type CreateProps = Awaited<ReturnType<typeof loadCreate>> & { onAgain: () => void }

function CreatePage({ definition, fields, sub, onAgain }: CreateProps) {
  const navigate = useNavigate()
  const list = `/${definition.path.toLowerCase()}`
  const unsaved = useRecordDraft({ sub, address: definition.path, fields, current: null })

  async function save(body: RecordData, after: AfterSave): Promise<Failure | undefined> {
    const outcome = await mutate({
      path: definition.routeName,
      body,
      done: ({ record }) =>
        specifiedPageMessages.created(nameOf(definition), displayOf(definition, record)),
      undo: { of: { definition, done: 'create' }, onUndone: () => navigate(list) },
    })
    if (outcome.kind === 'failed') return outcome.failure
    unsaved.forget()
    const id = outcome.kind === 'saved' ? outcome.record['id'] : undefined
    if (after === 'new') onAgain()
    else if (after === 'stay' && (typeof id === 'string' || typeof id === 'number'))
      await navigate(`${list}/edit/${encodeURIComponent(id)}`)
    else await navigate(list)
    return undefined
  }

  return (
    <FormPage title={siteMessages.create(nameOf(definition))}>
      {unsaved.note}
      <RecordForm
        key={unsaved.round}
        fields={fields}
        typed={unsaved.draft}
        suggestion={addressSuggestionOf(definition)}
        saveLabel={formMessages.create}
        afterSave={AFTER_SAVE}
        cancel={<CancelLink to={list} />}
        onTyped={unsaved.keep}
        onSave={save}
      />
    </FormPage>
  )
}
