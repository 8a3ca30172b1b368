import { useState } from 'react'
import { filterMessages } from '#messages/filter.ts'
import { fieldFacts } from '#forms/inputs/types.ts'
import { fromInput, toInput } from '#forms/inputs/values.ts'
import type { ValueProps } from '#records/query/filter-draft.ts'
import { RELATIVE } from '#records/query/filter-labels.ts'

type Kind = keyof typeof filterMessages.whenKinds

const OF_DATES: Kind[] = ['day', 'today', 'daysAgo', 'daysAhead']
const OF_TIMES: Kind[] = ['day', 'now', 'hoursAgo', 'daysAgo', 'hoursAhead', 'daysAhead']
const SIGNED = {
  daysAgo: ['-', 'd'],
  daysAhead: ['+', 'd'],
  hoursAgo: ['-', 'h'],
  hoursAhead: ['+', 'h'],
} as const

export function WhenInput({ field, values, onChange }: ValueProps) {
  const [value = ''] = values
  const base = fieldFacts(field).column === 'date' ? 'today' : 'now'
  const [kind, setKind] = useState<Kind>(() => kindOf(value))
  const amount = RELATIVE.exec(value)?.[3] ?? ''

  function choose(next: Kind) {
    setKind(next)
    if (next === 'day') onChange([])
    else if (next === 'today' || next === 'now') onChange([`@${base}`])
    else move(next, amount || '7')
  }

  function move(to: keyof typeof SIGNED, count: string) {
    const [sign, unit] = SIGNED[to]
    onChange(/^\d{1,4}$/.test(count) ? [`@${base}${sign}${Number(count)}${unit}`] : [])
  }

  return (
    <>
      <label>
        <span className="form-label">{filterMessages.when}</span>
        <select
          className="form-select"
          value={kind}
          onChange={({ target }) => choose(target.value as Kind)}
        >
          {(base === 'today' ? OF_DATES : OF_TIMES).map((one) => (
            <option key={one} value={one}>
              {filterMessages.whenKinds[one]}
            </option>
          ))}
        </select>
      </label>
      {kind === 'day' && (
        <label>
          <span className="form-label">{filterMessages.filterValue}</span>
          <input
            className="form-control"
            type={base === 'today' ? 'date' : 'datetime-local'}
            value={String(toInput(field, value))}
            onChange={({ target }) => {
              const read = fromInput(field, target.value)
              onChange(read === null ? [] : [String(read)])
            }}
          />
        </label>
      )}
      {kind in SIGNED && (
        <label>
          <span className="form-label">
            {kind.startsWith('days') ? filterMessages.days : filterMessages.hours}
          </span>
          <input
            className="form-control"
            type="number"
            min="0"
            max="9999"
            value={amount}
            onChange={({ target }) => move(kind as keyof typeof SIGNED, target.value)}
          />
        </label>
      )}
    </>
  )
}

function kindOf(value: string): Kind {
  const [, base, sign, , unit] = RELATIVE.exec(value) ?? []
  if (!base) return 'day'
  if (!sign) return base === 'now' ? 'now' : 'today'
  if (unit === 'h') return sign === '-' ? 'hoursAgo' : 'hoursAhead'
  return sign === '-' ? 'daysAgo' : 'daysAhead'
}
