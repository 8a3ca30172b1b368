import { useMemo, type ReactNode } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { currentUser } from '#auth/session.ts'
import { writeMessages } from '#messages/write.ts'
import { formMessages } from '#messages/form.ts'
import { CreateRelated } from '#forms/inputs/create-related.ts'
import { prepareInputs } from '#forms/inputs/record-inputs.tsx'
import { LeaveGuard } from '#forms/leave-guard.tsx'
import type { AfterSave } from '#forms/save-button.tsx'
import { canDo, definitionAt, type Definition } from '#data/definitions.ts'
import { CreateDrawer } from '#records/actions/lazy-create-drawer.tsx'
import { loadFormFields } from '#records/shared/load-record.ts'

/** The display field takes the full width. */
export async function loadFields(definition: Definition, signal: AbortSignal) {
  const fields = await loadFormFields(definition, signal)
  await prepareInputs(fields)
  return fields.map((field) =>
    field.name === definition.viewData.displayField ? { ...field, isWide: true } : field,
  )
}

/** The account that drafts are stored for. */
export const currentSub = async () => (await currentUser())?.profile.sub ?? ''

export const AFTER_SAVE: { after: AfterSave; label: string }[] = [
  { after: 'stay', label: formMessages.saveAndStay },
  { after: 'new', label: formMessages.saveAndNew },
]

type Props = { title: string; about?: string; children: ReactNode }

export function FormPage({ title, about, children }: Props) {
  const visitor = toVisitor(useAuth().user)
  const role = visitor?.role
  const creation = useMemo(
    () => ({
      canCreate(to: string) {
        const definition = definitionAt(to)
        return definition !== undefined && canDo(definition, 'create', visitor)
      },
      Drawer: CreateDrawer,
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the visitor changes with every render, the role does not
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
      <LeaveGuard />
    </>
  )
}

export const CancelLink = (props: { to: string; state?: object }) => (
  <Link className="btn btn-quiet btn-sm" {...props}>
    {writeMessages.cancel}
  </Link>
)
