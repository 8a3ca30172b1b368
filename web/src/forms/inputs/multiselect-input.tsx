import { useState } from 'react'
import { fieldMessages } from '#messages/fields.ts'
import { formMessages } from '#messages/form.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { reportChange } from './report-change.ts'
import type { InputProps } from './inputs.tsx'

export function MultiselectInput({ field, register, aria, value }: InputProps) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  const options = field.options ?? []
  const isFree = field.free || options.length === 0
  const words = chosen.filter((word) => !options.some((option) => option.value === word))
  // A stored value that is no longer an option remains ticked; with free text it is a tag.
  const ticks = [
    ...options.map((option) => ({ value: option.value, label: option.label ?? option.value })),
    ...(isFree ? [] : words.map((word) => ({ value: word, label: word }))),
  ]
  const toggle = (word: string) =>
    reportChange(
      register,
      chosen.includes(word) ? chosen.filter((one) => one !== word) : [...chosen, word],
    )
  return (
    <fieldset className="choices" {...aria} aria-labelledby={`${aria.id}-label`} tabIndex={-1}>
      {ticks.map((tick) => (
        <label key={tick.value} className="form-check">
          <input
            className="form-check-input"
            type="checkbox"
            checked={chosen.includes(tick.value)}
            onChange={() => toggle(tick.value)}
          />
          {tick.label}
        </label>
      ))}
      {isFree && (
        <TagInput
          label={field.label}
          words={words}
          onAdd={(more) => reportChange(register, [...new Set([...chosen, ...more])])}
          onRemove={toggle}
        />
      )}
    </fieldset>
  )
}

type TagProps = {
  label: string
  words: string[]
  onAdd: (words: string[]) => void
  onRemove: (word: string) => void
}

function TagInput({ label, words, onAdd, onRemove }: TagProps) {
  const [text, setText] = useState('')
  const add = () => {
    const more = text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean)
    if (more.length > 0) onAdd(more)
    setText('')
  }
  return (
    <div className="tag-box">
      {words.length > 0 && (
        <ul className="tags" aria-label={formMessages.chosenIn(label)}>
          {words.map((word) => (
            <li key={word} className="tag">
              {word}
              <button
                type="button"
                aria-label={formMessages.remove(word)}
                onClick={() => onRemove(word)}
              >
                <RecordIcon name="x" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        className="form-control"
        aria-label={fieldMessages.addTo(label)}
        placeholder={fieldMessages.addTags}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={add}
        onKeyDown={(event) => {
          const last = words.at(-1)
          if (event.key === 'Backspace' && text === '' && last !== undefined) onRemove(last)
          if (event.key !== 'Enter' || text.trim() === '') return
          event.preventDefault()
          add()
        }}
      />
    </div>
  )
}
