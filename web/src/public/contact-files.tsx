import { contactMessages } from '#messages/contact.ts'
import { fieldMessages } from '#messages/fields.ts'
import { ariaOf, Below } from '#forms/field-row.tsx'
import { fileFieldOf } from '#forms/file-field.ts'
import { fileLimits } from '#forms/inputs/file-limits.ts'
import type { Attachments } from '#files/use-attachments.ts'
import { menuDefinitions } from '#data/definitions.ts'
import { useDefinitions } from '#layout/use-definitions.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'

type Props = { attachments: Attachments; isSignedIn: boolean }

/** Files of a message. Nothing where the server stores none, and before the visitor has signed in. */
export function ContactFiles({ attachments, isSignedIn }: Props) {
  const tickets = useTickets()
  const field = isSignedIn ? fileFieldOf(tickets, 'attachments') : null
  const loaded = useLazyModule(fileInput, field !== null)
  if (!field) return null
  const { id, files, problem, set } = attachments
  return (
    <div className="full">
      <label className="form-label" htmlFor={id}>
        {contactMessages.files} <span className="req">{fieldMessages.optional}</span>
      </label>
      {loaded ? (
        <loaded.FileInput
          id={id}
          label={contactMessages.files}
          {...fileLimits(field)}
          aria={ariaOf(id, { message: problem, hint: undefined })}
          files={files}
          onChange={set}
        />
      ) : (
        <LazyModuleFailed part={fileInput} />
      )}
      <Below id={id} message={problem} hint={undefined} />
    </div>
  )
}

/** Below the button, which must not move. Shown before the app runs, once the server has said that it takes files. */
export function FilesSignedOut({ isSignedIn }: Pick<Props, 'isSignedIn'>) {
  const isShown = useTickets()?.files === true && !isSignedIn
  return (
    <p className="hint full" data-files="tickets" hidden={!isShown}>
      {contactMessages.filesSignedOut}
    </p>
  )
}

function useTickets() {
  return menuDefinitions(useDefinitions()).find(({ path }) => path === 'tickets')
}

const fileInput = lazyModule(contactMessages.files, () => import('#files/file-input.tsx'))
