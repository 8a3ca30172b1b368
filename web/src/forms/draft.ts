import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { session } from '#base/storage.ts'
import type { FormValues } from '#forms/inputs/values.ts'

type Options = {
  /** Where it is kept (see drafts.ts); null until it is known whose it is. */
  key: string | null
  /** What a link or the account suggests; what a person typed wins over it. */
  suggested?: FormValues
}

/** Keeps what is typed in this tab, through a trip to the identity provider and back. Nothing a person typed is lost. */
export function useDraft(form: UseFormReturn<FormValues>, { key, suggested = {} }: Options) {
  // Compared by value: a renewed token must not reset the form.
  const suggestion = JSON.stringify(suggested)
  useEffect(() => {
    if (key === null) return undefined
    const keep = (values: FormValues) =>
      session.set(key, JSON.stringify({ ...values, ...(wasPressed(key) ? PRESSED : {}) }))
    const typed = typedAlready(form)
    form.reset({
      ...form.getValues(),
      ...(JSON.parse(suggestion) as FormValues),
      ...readDraft(key),
      ...typed,
    })
    if (Object.keys(typed).length > 0) keep(form.getValues())
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) => keep(values),
    })
  }, [form, key, suggestion])
}

export function forgetDraft(key: string | null) {
  if (key !== null) session.remove(key)
}

/** Its author has pressed Send, and goes to sign in first. */
export function markPressed(key: string | null, values: FormValues) {
  if (key !== null) session.set(key, JSON.stringify({ ...values, ...PRESSED }))
}

/** Not a text, so it is never taken for a value of the form. */
const PRESSED = { isPressed: true }

export const wasPressed = (key: string) => parse(key)['isPressed'] === true

/** Put back from before the app ran (see boot.ts): newer than any draft. */
const typedAlready = ({ getValues, formState: { defaultValues } }: UseFormReturn<FormValues>) =>
  Object.fromEntries(
    Object.entries(getValues()).filter(([name, value]) => value !== defaultValues?.[name]),
  )

/** Only texts: whatever else may lie there is not ours. */
const readDraft = (key: string): FormValues =>
  Object.fromEntries(
    Object.entries(parse(key)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    ),
  )

function parse(key: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(session.get(key) ?? '{}')) as Record<string, unknown>
  } catch {
    return {}
  }
}
