import { useId, useState, type KeyboardEvent } from 'react'
import { formMessages } from '#messages/form.ts'
import { Markdown } from '#ui/markdown.tsx'
import { classOf, type InputProps } from './inputs.tsx'

const TABS = ['write', 'preview'] as const
type Tab = (typeof TABS)[number]

/** Markdown with a preview. The textarea remains mounted behind it. */
export function MarkdownInput({ field, register, aria, value }: InputProps) {
  const [tab, setTab] = useState<Tab>('write')
  const id = useId()
  const text = String(value ?? '')
  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const next = tab === 'write' ? 'preview' : 'write'
    setTab(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }
  return (
    <div className="md-input">
      <div
        className="md-tabs"
        role="tablist"
        aria-label={formMessages.editorOf(field.label)}
        tabIndex={-1}
        onKeyDown={move}
      >
        {TABS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${id}-${one}`}
            aria-selected={tab === one}
            aria-controls={`${id}-panel-${one}`}
            tabIndex={tab === one ? 0 : -1}
            onClick={() => setTab(one)}
          >
            {formMessages[one]}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel-write`}
        aria-labelledby={`${id}-write`}
        hidden={tab !== 'write'}
      >
        <textarea className={classOf('form-control', aria)} rows={8} {...register} {...aria} />
      </div>
      <div
        className="md-preview"
        role="tabpanel"
        id={`${id}-panel-preview`}
        aria-label={formMessages.previewOf(field.label)}
        // Scrollable, so focusable.
        tabIndex={0}
        hidden={tab !== 'preview'}
      >
        {tab === 'preview' &&
          (text.trim() ? (
            <Markdown text={text} />
          ) : (
            <p className="muted">{formMessages.nothingToPreview}</p>
          ))}
      </div>
    </div>
  )
}
