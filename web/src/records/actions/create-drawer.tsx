import { useEffect, useState } from 'react'
import type { Failure } from '#data/failure.ts'
import { formMessages } from '#messages/form.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import type { CreateRelatedProps } from '#forms/inputs/create-related.ts'
import { prepareInputs } from '#forms/inputs/record-inputs.tsx'
import { toChoice } from '#forms/inputs/relation-search.ts'
import type { FormField } from '#forms/inputs/values.ts'
import { definitionAt, nameOf, type Definition } from '#data/definitions.ts'
import { mutate } from '#data/mutate.ts'
import { LoadFailed } from '#ui/load-failed.tsx'
import { Busy } from '#ui/status-screen.tsx'
import { loadFormFields } from '#records/shared/load-record.ts'
import { displayOf } from '#records/shared/loader-errors.ts'
import { FormDrawer } from './form-drawer.tsx'

type Props = CreateRelatedProps & {
  /** The relation to the record that it was opened from. */
  preset?: { field: string; id: string; label: string }
}

export function CreateDrawer({ to, preset, onMade, onClose }: Props) {
  const definition = definitionAt(to)
  const { fields, retry } = useFormFields(definition)
  if (!definition) return null

  async function save(body: Record<string, unknown>): Promise<Failure | undefined> {
    if (!definition) return undefined
    const outcome = await mutate({
      path: definition.routeName,
      body,
      ...(preset
        ? {
            done: ({ record }) =>
              specifiedPageMessages.created(nameOf(definition), displayOf(definition, record)),
            undo: { of: { definition, done: 'create' } },
          }
        : {}),
    })
    if (outcome.kind === 'failed') return outcome.failure
    if (outcome.kind === 'saved') onMade(toChoice(definition, outcome.record))
    return undefined
  }

  return (
    <FormDrawer
      title={siteMessages.create(nameOf(definition))}
      address={`${definition.path}?related${preset ? `=${preset.id}` : ''}`}
      fields={(fields ?? []).map((field) =>
        field.name === preset?.field ? { ...field, default: preset.id } : field,
      )}
      labels={preset ? { [preset.field]: preset.label } : {}}
      idPrefix="related"
      saveLabel={formMessages.create}
      onSave={save}
      onClose={onClose}
    >
      {fields === null && <Busy text={specifiedMessages.loadingRoute} />}
      {fields?.length === 0 && (
        <LoadFailed message={specifiedPageMessages.metadataMissing} onRetry={retry} />
      )}
    </FormDrawer>
  )
}

/** Null while loading, empty on failure. */
function useFormFields(definition: Definition | undefined) {
  const [fields, setFields] = useState<FormField[] | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!definition) return
    const leaving = new AbortController()
    const load = async () => {
      const loaded = await loadFormFields(definition, leaving.signal)
      await prepareInputs(loaded)
      setFields(loaded)
    }
    load().catch(() => {
      if (!leaving.signal.aborted) setFields([])
    })
    return () => leaving.abort()
  }, [definition, round])
  return { fields, retry: () => setRound((last) => last + 1) }
}
