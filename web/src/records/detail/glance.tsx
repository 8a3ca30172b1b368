import { Link } from 'react-router'
import { detailMessages } from '#messages/detail.ts'
import { definitionAt, type Definition } from '#data/definitions.ts'
import type { Fact } from '#data/presentation.ts'
import { Cell } from '#records/shared/cell.tsx'
import type { RecordData } from '#records/shared/loader-errors.ts'
import type { About } from './about.ts'

const FACTS_MAX = 5

type Props = {
  definition: Definition
  record: RecordData
  facts: Fact[]
  about: Pick<About, 'facts'> | null | undefined
}

/** The facts above a record: fields, and counts of related records. */
export function Glance({ facts, ...props }: Props) {
  if (facts.length === 0) return null
  return (
    <ul className="glance">
      {facts
        .slice(0, FACTS_MAX)
        .map((fact) =>
          'field' in fact ? (
            <FieldFact key={fact.field} name={fact.field} {...props} />
          ) : (
            <CountFact key={`${fact.related} ${fact.label}`} fact={fact} {...props} />
          ),
        )}
    </ul>
  )
}

type FieldProps = Omit<Props, 'facts' | 'about'> & { name: string }

function FieldFact({ definition, record, name }: FieldProps) {
  const field = definition.viewData.fields.find((one) => one.name === name)
  return (
    field && (
      <li>
        <b>
          <Cell field={field} record={record} />
        </b>
        <span>{field.label}</span>
      </li>
    )
  )
}

type CountProps = Omit<Props, 'facts'> & { fact: Exclude<Fact, { field: string }> }

function CountFact({ record, about, fact }: CountProps) {
  const [model = '', by = ''] = fact.related.split('.')
  const definition = definitionAt(model)
  const counted = about?.facts?.find(
    ({ related, label }) => related === fact.related && label === fact.label,
  )
  if (!definition) return null
  const own = [by, 'eq', String(record['id'])]
  // The filter bar shows the conditions of one level.
  const more = fact.where && ('all' in fact.where ? fact.where.all : [fact.where])
  const filter = JSON.stringify({ all: [own, ...(more ?? [])] })
  return (
    <li aria-busy={about === undefined}>
      <b>
        {counted ? (
          <Link to={`/${definition.path.toLowerCase()}?${new URLSearchParams({ filter })}`}>
            {detailMessages.counted(counted.count, counted.exact, fact.label)}
          </Link>
        ) : (
          <span aria-hidden="true">–</span>
        )}
      </b>
      <span>{definition.viewData.title}</span>
    </li>
  )
}
