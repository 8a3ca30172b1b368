import type { FileLabel } from '@gatehouse/model'
import { useState } from 'react'
import type { Failure } from '#data/failure.ts'
import { readDraftFiles, storeDraftFiles } from './draft-files.ts'

type Options = {
  /** Storage key of the form's draft; null until the account is known. */
  draft: string | null
  /** Field name, in the request's body too. */
  name: string
  /** ID of the input. */
  id: string
}

/** The files of a form that has a draft: uploaded, and named by the message that is sent. */
export function useAttachments({ draft, name, id }: Options) {
  const [state, setState] = useState(() => openDraft(draft))
  // Another account's files are never shown.
  if (state.draft !== draft) setState(openDraft(draft))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const set = (files: FileLabel[]) => {
    setProblem(undefined)
    setState({ draft, files })
    if (draft !== null) storeDraftFiles(draft, files)
  }
  return {
    id,
    files: state.files,
    /** Why the message can't be sent with them. */
    problem,
    set,
    /** Of the request; nothing without files, which another server may not know. */
    body: () => (state.files.length > 0 ? { [name]: state.files.map((file) => file.id) } : {}),
    /** False while an upload runs, or has failed: a file must not be left out in silence. */
    check() {
      const input = document.getElementById(id)
      const found = input instanceof HTMLInputElement ? input.validationMessage : ''
      setProblem(found || undefined)
      if (found) input?.focus()
      return !found
    },
    /** Shows the server's error, such as of a file that was swept before it was sent. */
    showErrors: ({ errors }: Failure) =>
      setProblem(errors.find(({ field }) => field === name)?.message),
    clear() {
      setProblem(undefined)
      setState({ draft, files: [] })
    },
  }
}

export type Attachments = ReturnType<typeof useAttachments>

const openDraft = (draft: string | null) => ({
  draft,
  files: draft === null ? [] : readDraftFiles(draft),
})
