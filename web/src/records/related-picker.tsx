import { useEffect, useId, useState } from 'react'
import { callApi } from '#api.ts'
import { listTexts } from '#content/list.ts'
import { definitionAt } from '#models.ts'
import { takes, toggled, type ValueProps } from './filter-draft.ts'
import { toPage } from './list-page.ts'
import { SEARCH_MIN_LENGTH } from './list-query.ts'
import { readBody } from './loading.ts'
import { learnName, useKnownNames } from './related-names.ts'

const SHOWN_MAX = 10
const PAUSE_MS = 250

type Found = { id: string; name: string }

/** Records of another model: those chosen, then those found. */
export function RelatedPicker({ field, choice, values, names, onChange }: ValueProps) {
  const [text, setText] = useState('')
  const { found, hasFailed } = useFound(field.to ?? '', text)
  const known = useKnownNames()
  const group = useId()
  const isMany = takes(choice) === 'many'
  const others = found.filter(({ id }) => !values.includes(id))
  const shown = [...values.map((id) => ({ id, name: names[id] ?? known[id] ?? id })), ...others]
  const canSearch = definitionAt(field.to ?? '')?.viewData.fields.some((one) => one.searchable)
  return (
    <fieldset className="ticks">
      <legend className="form-label">{field.label}</legend>
      {canSearch && (
        <input
          className="form-control"
          type="text"
          inputMode="search"
          autoComplete="off"
          aria-label={listTexts.findRelated(field.label)}
          placeholder={listTexts.findRelated(field.label)}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      {shown.map(({ id, name }) => (
        <label key={id}>
          <input
            className="form-check-input"
            type={isMany ? 'checkbox' : 'radio'}
            name={group}
            checked={values.includes(id)}
            onChange={({ target }) => {
              learnName(id, name)
              onChange(isMany ? toggled(values, id, target.checked) : [id])
            }}
          />
          {name}
        </label>
      ))}
      <p className="muted" role="status">
        {hasFailed
          ? listTexts.relatedFailed
          : found.length === 0 && text
            ? listTexts.nothingFound
            : ''}
      </p>
    </fieldset>
  )
}

/** What the API finds for a text, or its first records. */
function useFound(to: string, text: string) {
  const [state, setState] = useState<{ found: Found[]; hasFailed: boolean }>({
    found: [],
    hasFailed: false,
  })
  const typed = text.trim()
  const q = Array.from(typed).length < SEARCH_MIN_LENGTH ? '' : typed
  useEffect(() => {
    const stop = new AbortController()
    const load = async () => {
      const query = new URLSearchParams({ limit: String(SHOWN_MAX), total: 'none' })
      if (q) query.set('q', q)
      const response = await callApi(`${to}?${query}`, { signal: stop.signal })
      if (!response.ok) throw new Error(`${to}: ${response.status}`)
      const { items } = toPage(await readBody(response))
      const display = definitionAt(to)?.viewData.displayField ?? 'name'
      setState({
        hasFailed: false,
        found: items.map((item) => ({
          id: String(item['id']),
          name: String(item[display] ?? item['id']),
        })),
      })
    }
    const timer = setTimeout(
      () =>
        void load().catch(() => {
          if (!stop.signal.aborted) setState({ found: [], hasFailed: true })
        }),
      q ? PAUSE_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [to, q])
  return state
}
