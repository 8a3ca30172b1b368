import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { watchSignInDrafts } from '#base/sign-in-drafts.ts'
import { isOfAccount, isSentInOtherTab } from '#base/drafts.ts'
import { DRAFT_FILES } from '#files/draft-files.ts'
import { session } from '#base/storage.ts'
import type { FormValues } from '#forms/inputs/values.ts'

type Options = {
  /** Storage key (see base/drafts.ts); null until the account is known. */
  key: string | null
  /** Prefill from a link or the account; typed text wins. */
  suggested?: FormValues
}

/** Stores a form's input in session storage, even across the sign-in redirect. Returns whether another tab has sent it. */
export function useDraft(form: UseFormReturn<FormValues>, { key, suggested = {} }: Options) {
  // Compared by value: a renewed token must not reset the form.
  const suggestion = JSON.stringify(suggested)
  const [blank] = useState(() => structuredClone(form.formState.defaultValues))
  /** The account's key, even after its session has ended. */
  const account = useRef<string | null>(null)
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    if (key === null) return undefined
    const left = account.current === key ? null : account.current
    // After an expired session the draft remains the account's: its owner continues.
    if (left !== null && !isOfAccount(key) && session.get(left) !== null)
      return storeChanges(left, form, suggestion)
    // Signed out, or another account: clears the previous account's input.
    if (left !== null) resetFields(form, blank as FormValues)
    account.current = isOfAccount(key) ? key : null
    setSent(dropSent(key))
    const typed = left === null ? typedBeforeHydration(form) : {}
    const filled = { ...(JSON.parse(suggestion) as FormValues), ...draftValues(key, suggestion) }
    const missing = Object.entries(filled).filter(([name]) => !(name in typed))
    resetFields(form, Object.fromEntries(missing))
    selectIfFocused(JSON.parse(suggestion) as FormValues)
    if (Object.keys(typed).length > 0) storeDraft(key, form.getValues(), suggestion)
    return storeChanges(key, form, suggestion)
  }, [form, key, suggestion, blank])
  useEffect(() => {
    if (key === null) return undefined
    return watchSignInDrafts(() => {
      if (!dropSent(key)) return
      resetFields(form, { ...blank, ...(JSON.parse(suggestion) as FormValues) } as FormValues)
      session.remove(key)
      setSent(true)
    })
  }, [form, key, suggestion, blank])
  return isSent
}

/**
 * One by one: `reset` unregisters all fields until the next commit, losing text typed meanwhile, and the radio button that is
 * checked in the document then reads as none.
 */
export function resetFields(form: UseFormReturn<FormValues>, values: FormValues) {
  for (const [name, value] of Object.entries(values)) form.resetField(name, { defaultValue: value })
}

function dropSent(key: string) {
  const isSent = isSentInOtherTab(key)
  if (isSent) session.remove(key)
  return isSent
}

function storeDraft(key: string, values: FormValues, suggestion: string) {
  const metadata = metadataOf(key)
  const suggested = { ...Object(metadata['suggested']), ...JSON.parse(suggestion) } as FormValues
  if (Object.keys(suggested).length > 0) metadata['suggested'] = suggested
  session.set(key, JSON.stringify({ ...values, ...metadata }))
}

const storeChanges = (key: string, form: UseFormReturn<FormValues>, suggestion: string) =>
  form.subscribe({
    formState: { values: true },
    callback: ({ values }) => storeDraft(key, values, suggestion),
  })

export function deleteDraft(key: string | null) {
  if (key !== null) session.remove(key)
}

export function setSubmitPending(key: string | null, values: FormValues) {
  if (key !== null)
    session.set(key, JSON.stringify({ ...values, ...metadataOf(key), ...SUBMIT_PENDING }))
}

/** Not a string, so it can't be mistaken for a field. */
const SUBMIT_PENDING = { isPressed: true }

/** Draft metadata: whether Send was clicked, the id shared with other tabs, the prefilled values and the files. */
const metadataOf = (key: string) =>
  Object.fromEntries(Object.entries(parse(key)).filter(([name]) => METADATA.includes(name)))
const METADATA = ['isPressed', 'carried', 'suggested', DRAFT_FILES]

const suggestedFor = (key: string) => Object(parse(key)['suggested']) as FormValues

export const isSubmitPending = (key: string) => parse(key)['isPressed'] === true

/** A value that arrives in the field about to be typed into: the first key replaces it. */
function selectIfFocused(suggested: FormValues) {
  const field = document.activeElement
  if (field instanceof HTMLInputElement && field.value === suggested[field.name]) field.select()
}

/** Input typed before hydration (see boot.ts): newer than any draft. */
const typedBeforeHydration = ({
  getValues,
  formState: { defaultValues },
}: UseFormReturn<FormValues>) =>
  Object.fromEntries(
    Object.entries(getValues()).filter(([name, value]) => value !== defaultValues?.[name]),
  )

/** The draft without values that an earlier link prefilled: a new link replaces those. */
function draftValues(key: string, suggestion: string) {
  const [before, now] = [suggestedFor(key), JSON.parse(suggestion) as FormValues]
  return Object.fromEntries(
    Object.entries(readDraft(key)).filter(
      ([name, value]) => !(name in now) || value !== before[name],
    ),
  )
}

/** Strings only; ignores content in an unknown format. */
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
