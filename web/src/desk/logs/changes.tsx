import { useLoaderData, useSearchParams } from 'react-router'
import { formatList } from '#base/format.ts'
import { definitionsSettled } from '#data/definitions.ts'
import { useDefinitions } from '#layout/use-definitions.ts'
import { getJson } from '#data/failure.ts'
import { logMessages } from '#messages/logs.ts'
import { siteMessages } from '#messages/site.ts'
import { ExportButton } from './export.tsx'
import {
  Filters,
  LogHead,
  LogTable,
  When,
  Where,
  Who,
  type Person,
  type RecordRef,
} from './log-table.tsx'
import { toApiQuery } from './query.ts'
import '#styles/desk.scss'

/** A creation sets all fields. */
const LISTS_FIELDS = ['update', 'backfill']

type Change = {
  id: number
  at: string
  action: string
  by: Person | null
  byKind: keyof typeof logMessages.kinds
  record: RecordRef | null
  fields: string[]
}

export async function loadChanges({ url, signal }: Request) {
  const query = toApiQuery(new URL(url).searchParams)
  await definitionsSettled()
  return getJson<{ items: Change[]; next: string | null }>(`changes?${query}`, signal)
}

export function Changes() {
  const { items, next } = useLoaderData<Awaited<ReturnType<typeof loadChanges>>>()
  const { definitions } = useDefinitions()
  const [address] = useSearchParams()
  const { lead, empty } = logMessages.changes
  const people = new Map(items.flatMap(({ by }) => (by ? [[by.ref, by] as const] : [])))
  return (
    <div className="wrap desk logs">
      <LogHead
        title={siteMessages.changes}
        lead={lead}
        other={{ to: '/security-events', label: siteMessages.securityEvents }}
        act={<ExportButton path="changes" query={toApiQuery(address)} />}
      />
      <Filters people={[...people.values()]} record={items[0]?.record ?? null}>
        <label>
          <span className="form-label">{logMessages.model}</span>
          <select className="form-select" name="model" defaultValue={address.get('model') ?? ''}>
            <option value="">{logMessages.everyModel}</option>
            {definitions.map(({ path, viewData }) => (
              <option key={path} value={path}>
                {viewData.title}
              </option>
            ))}
          </select>
        </label>
      </Filters>
      <LogTable
        label={siteMessages.changes}
        heads={[logMessages.time, logMessages.who, logMessages.what, logMessages.record]}
        empty={empty}
        next={next}
        isEmpty={items.length === 0}
      >
        {items.map(({ id, at, action, by, byKind, record, fields }) => (
          <tr key={id}>
            <td>
              <When at={at} />
            </td>
            <td>{by ? <Who person={by} /> : logMessages.kinds[byKind]}</td>
            <td>
              <b>{logMessages.actions[action] ?? action}</b>
              {LISTS_FIELDS.includes(action) && (
                <span className="muted"> · {formatList(fields)}</span>
              )}
            </td>
            <td>{record && <Where place={record} />}</td>
          </tr>
        ))}
      </LogTable>
    </div>
  )
}
