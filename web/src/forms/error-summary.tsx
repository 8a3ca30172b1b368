import { useEffect, useRef } from 'react'
import type { Failure } from '#data/failure.ts'
import { formMessages } from '#messages/form.ts'
import { Icon } from '#ui/icon.tsx'
import { renderMarked } from '#ui/render-marked.tsx'
import type { FormField } from '#forms/inputs/values.ts'

type Props = { failure: Failure; fields: FormField[]; idPrefix: string }

export function ErrorSummary({ failure, fields, idPrefix }: Props) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => note.current?.focus(), [failure])
  const wrong = fields.filter(({ name }) => failure.errors.some(({ field }) => field === name))
  const others = failure.errors.filter(({ field }) => !wrong.some(({ name }) => name === field))
  return (
    <div className="note danger" role="alert" tabIndex={-1} ref={note}>
      <Icon name="exclamation-triangle-fill" />
      <div>
        <strong>{formMessages.notSaved}</strong> <span>{failure.text}</span>
        {wrong.length > 0 && (
          <>
            {' '}
            {renderMarked(formMessages.fieldsNeedFixing(wrong.length), () =>
              wrong.map((field, index) => (
                <span key={field.name}>
                  {index > 0 && ', '}
                  <FieldLink id={`${idPrefix}-${field.name}`} label={field.label} />
                </span>
              )),
            )}
          </>
        )}
        <ul className="note-list">
          {others.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{message}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}

const FieldLink = ({ id, label }: { id: string; label: string }) => (
  <a
    href={`#${id}`}
    onClick={(event) => {
      event.preventDefault()
      document.getElementById(id)?.focus()
    }}
  >
    {label}
  </a>
)
