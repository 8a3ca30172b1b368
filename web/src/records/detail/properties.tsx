import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useAuth } from 'react-oidc-context'
import { detailMessages } from '#messages/detail.ts'
import type { DefinitionField } from '#data/field.ts'
import type { Definition } from '#data/definitions.ts'
import { fieldFacts, isLong } from '#forms/inputs/types.ts'
import type { FormField } from '#forms/inputs/values.ts'
import { ActionIcon } from '#records/shared/action-icon.tsx'
import { Cell, isEmptyValue } from '#records/shared/cell.tsx'
import type { RecordData } from '#records/shared/loader-errors.ts'
import { QuickEdit } from './quick-edit.tsx'
import { hasQuickDraft } from './quick-draft.ts'

type Props = {
  definition: Definition
  record: RecordData
  fields: DefinitionField[]
  /** The input of a field that may be changed here. */
  inputOf: (name: string) => FormField | undefined
}

/** Properties in two columns; empty ones are folded. */
export function SectionProperties({ fields, ...props }: Props) {
  const drafted = useDraftedFields(props, fields)
  const [isUnfolded, setUnfolded] = useState(() =>
    drafted.some((name) => isEmptyValue(props.record[name])),
  )
  const empty = fields.filter(({ name }) => isEmptyValue(props.record[name]))
  const shown = isUnfolded ? fields : fields.filter((field) => !empty.includes(field))
  return (
    <>
      <PropertyList {...props} fields={shown} className="properties" />
      {empty.length > 0 && (
        <button
          type="button"
          className="btn btn-quiet btn-sm unfold"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {detailMessages.emptyFields(empty.length)}
        </button>
      )}
    </>
  )
}

/**
 * Each property can be edited in place: the button, Enter on it, or F2 anywhere in the row. Several may be open; one left unsaved
 * is open again when the page is.
 */
export function PropertyList({ fields, className, ...props }: Props & { className: string }) {
  const drafted = useDraftedFields(props, fields)
  const [isOpen, setOpen] = useState<Record<string, boolean>>({})
  const list = useRef<HTMLDListElement>(null)
  const open = (name: string) => setOpen((now) => ({ ...now, [name]: true }))
  const closed = useRef<string | null>(null)
  const close = (name: string) => {
    closed.current = name
    setOpen((now) => ({ ...now, [name]: false }))
  }
  // Back to the button, which exists again after the next render.
  useEffect(() => {
    if (closed.current === null) return
    const name = CSS.escape(closed.current)
    closed.current = null
    list.current?.querySelector<HTMLElement>(`[data-edit="${name}"]`)?.focus()
  }, [isOpen])
  return (
    <dl className={className} ref={list}>
      {fields.map((field) => {
        const input = props.inputOf(field.name)
        const isEdited = input !== undefined && (isOpen[field.name] ?? drafted.includes(field.name))
        return (
          // The key belongs to the button inside; the row only extends it.
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
          <div
            key={field.name}
            className={classOf(field, isEdited)}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key !== 'F2' || !input || isEdited) return
              event.preventDefault()
              open(field.name)
            }}
          >
            <dt>{field.label}</dt>
            <dd>
              {isEdited ? (
                <QuickEdit
                  definition={props.definition}
                  field={input}
                  record={props.record}
                  isFocused={isOpen[field.name] ?? false}
                  onDone={() => close(field.name)}
                />
              ) : (
                <>
                  <Value definition={props.definition} field={field} record={props.record} />
                  {input && (
                    <button
                      type="button"
                      className="btn btn-quiet btn-icon btn-sm quick"
                      data-edit={field.name}
                      aria-label={detailMessages.quickEdit(field.label)}
                      aria-keyshortcuts="F2"
                      onClick={() => open(field.name)}
                    >
                      <ActionIcon name="pencil" />
                    </button>
                  )}
                </>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Fields with unsaved text when the page was opened. */
function useDraftedFields(
  { definition, record }: Omit<Props, 'fields'>,
  fields: DefinitionField[],
) {
  const sub = useAuth().user?.profile.sub ?? ''
  const [drafted] = useState(() =>
    fields.map(({ name }) => name).filter((name) => hasQuickDraft(sub, definition, record, name)),
  )
  return drafted
}

/** Values that only staff see are hatched. */
function Value({ definition, field, record }: ValueProps) {
  const value = <Cell field={field} record={record} isWhole model={definition.path} />
  const isHatched = field.internal && !isEmptyValue(record[field.name])
  return isHatched ? <div className="inside-txt">{value}</div> : value
}

type ValueProps = { definition: Definition; field: DefinitionField; record: RecordData }

const classOf = (field: DefinitionField, isEdited: boolean) =>
  [isEdited && 'editing', isWide(field) && 'wide'].filter(Boolean).join(' ') || undefined

const isWide = (field: DefinitionField) => isLong(field) || fieldFacts(field).json === 'array'
