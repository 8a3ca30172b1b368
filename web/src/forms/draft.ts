import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { session } from '#storage.ts'
import type { FormValues } from './values.ts'

type Options = {
  /** Where it is kept (see drafts.ts); null until it is known whose it is. */
  key: string | null
  /** What a link suggested as the subject; what a person typed wins over it. */
  subject: string | null
}

/** Keeps what is typed in this tab, through a trip to the identity provider and back. Nothing a person typed is lost. */
export function useDraft(form: UseFormReturn<FormValues>, { key, subject }: Options) {
  useEffect(() => {
    if (key === null) return undefined
    const keep = (values: FormValues) => session.set(key, JSON.stringify(values))
    const typed = typedAlready(form)
    form.reset({
      ...form.getValues(),
      ...(subject ? { subject } : {}),
      ...readDraft(key),
      ...typed,
    })
    if (Object.keys(typed).length > 0) keep(form.getValues())
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) => keep(values),
    })
  }, [form, key, subject])
}

export function forgetDraft(key: string | null) {
  if (key !== null) session.remove(key)
}

/** Put back from before the app ran (see boot.ts): newer than any draft. */
const typedAlready = ({ getValues, formState: { defaultValues } }: UseFormReturn<FormValues>) =>
  Object.fromEntries(
    Object.entries(getValues()).filter(([name, value]) => value !== defaultValues?.[name]),
  )

/** Only texts: whatever else may lie there is not ours. */
function readDraft(key: string): FormValues {
  try {
    const stored: unknown = JSON.parse(session.get(key) ?? '{}')
    return Object.fromEntries(
      Object.entries(Object(stored)).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
      ),
    )
  } catch {
    return {}
  }
}
