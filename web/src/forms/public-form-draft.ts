import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { watchSignInDrafts } from '#base/sign-in-drafts.ts'
import { isOfAccount, isSentInOtherTab } from '#base/drafts.ts'
import { session } from '#base/storage.ts'
import type { FormValues } from '#forms/inputs/values.ts'

type Options = {
  /** Storage key (see base/drafts.ts); null until the account is known. */
  key: string | null
  /** Prefill from a link or the account; typed text wins. */
  suggested?: FormValues
}

/** Keeps a form's text in session storage, through the sign-in redirect too. Returns whether another tab has sent it. */
export function useDraft(form: UseFormReturn<FormValues>, { key, suggested = {} }: Options) {
  // Compared by value: a renewed token must not reset the form.
  const suggestion = JSON.stringify(suggested)
  const [blank] = useState(() => structuredClone(form.formState.defaultValues))
  /** The account's key, also after its session has ended. */
  const account = useRef<string | null>(null)
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    if (key === null) return undefined
    const left = account.current === key ? null : account.current
    // After a session that merely expired its owner carries on: still that account's draft.
    if (left !== null && !isOfAccount(key) && session.get(left) !== null)
      return keepUnder(left, form, suggestion)
    // Signed out, or another account: nothing of the last one may stay.
    if (left !== null) form.reset(blank)
    account.current = isOfAccount(key) ? key : null
    setSent(dropSent(key))
    const typed = left === null ? typedAlready(form) : {}
    const filled = { ...(JSON.parse(suggestion) as FormValues), ...typedIn(key, suggestion) }
    // One by one: `reset` unregisters all fields until the next commit, and text typed until then would be lost.
    for (const [name, value] of Object.entries(filled))
      if (!(name in typed)) form.resetField(name, { defaultValue: value })
    if (Object.keys(typed).length > 0) keep(key, form.getValues(), suggestion)
    return keepUnder(key, form, suggestion)
  }, [form, key, suggestion, blank])
  useEffect(() => {
    if (key === null) return undefined
    return watchSignInDrafts(() => {
      if (!dropSent(key)) return
      form.reset({ ...blank, ...(JSON.parse(suggestion) as FormValues) })
      session.remove(key)
      setSent(true)
    })
  }, [form, key, suggestion, blank])
  return isSent
}

function dropSent(key: string) {
  const isSent = isSentInOtherTab(key)
  if (isSent) session.remove(key)
  return isSent
}

function keep(key: string, values: FormValues, suggestion: string) {
  const marks = marksOf(key)
  const suggested = { ...Object(marks['suggested']), ...JSON.parse(suggestion) } as FormValues
  if (Object.keys(suggested).length > 0) marks['suggested'] = suggested
  session.set(key, JSON.stringify({ ...values, ...marks }))
}

const keepUnder = (key: string, form: UseFormReturn<FormValues>, suggestion: string) =>
  form.subscribe({
    formState: { values: true },
    callback: ({ values }) => keep(key, values, suggestion),
  })

export function deleteDraft(key: string | null) {
  if (key !== null) session.remove(key)
}

/** Send was pressed, and the sign-in comes first. */
export function setSubmitPending(key: string | null, values: FormValues) {
  if (key !== null) session.set(key, JSON.stringify({ ...values, ...marksOf(key), ...PRESSED }))
}

/** Not a string, so never read as a field. */
const PRESSED = { isPressed: true }

/** Whether it was pressed, carried to another tab, and what was filled in by a link or from the account. */
const marksOf = (key: string) =>
  Object.fromEntries(Object.entries(parse(key)).filter(([name]) => MARKS.includes(name)))
const MARKS = ['isPressed', 'carried', 'suggested']

const suggestedFor = (key: string) => Object(parse(key)['suggested']) as FormValues

export const isSubmitPending = (key: string) => parse(key)['isPressed'] === true

/** Typed before hydration (see boot.ts): newer than any draft. */
const typedAlready = ({ getValues, formState: { defaultValues } }: UseFormReturn<FormValues>) =>
  Object.fromEntries(
    Object.entries(getValues()).filter(([name, value]) => value !== defaultValues?.[name]),
  )

/** What an earlier link filled in gives way to what this one does: nobody typed it. */
function typedIn(key: string, suggestion: string) {
  const [before, now] = [suggestedFor(key), JSON.parse(suggestion) as FormValues]
  return Object.fromEntries(
    Object.entries(readDraft(key)).filter(
      ([name, value]) => !(name in now) || value !== before[name],
    ),
  )
}

/** Strings only; ignores foreign content. */
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
