import { useRevalidator } from 'react-router'
import { detailMessages } from '#messages/detail.ts'
import type { Definition } from '#data/definitions.ts'
import type { FormField } from '#forms/inputs/values.ts'
import { useDeferred, type Deferred } from '#records/shared/deferred.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'
import { fieldsOf } from '#records/shared/own-fields.ts'
import { LoadFailed } from '#ui/load-failed.tsx'
import type { About, RelatedList } from './about.ts'
import { Aside } from './aside.tsx'
import { PropertyList } from './properties.tsx'
import { Related } from './related.tsx'

export type BodyProps = {
  definition: Definition
  record: RecordData
  isTrashed: boolean
  inputOf: (name: string) => FormField | undefined
}

type Props = BodyProps & { about: Deferred<About<RelatedList>> | null }

/** Of a definition that says nothing: all fields, then all records that refer to this one. */
export function PlainBody({ definition, record, isTrashed, inputOf, about: later }: Props) {
  const about = useDeferred(later)
  const { revalidate } = useRevalidator()
  return (
    <div className="detail">
      <div className="detail-main">
        <section className="panel">
          <PropertyList
            className="props"
            definition={definition}
            record={record}
            fields={fieldsOf(definition, [record])}
            inputOf={inputOf}
          />
        </section>
        {about?.referrers.map((related) => (
          <Related key={`${related.model} ${related.field}`} related={related} />
        ))}
        {about === null && (
          <LoadFailed what={detailMessages.relatedRecords} onRetry={() => void revalidate()} />
        )}
      </div>
      <Aside definition={definition} record={record} about={about ?? null} isTrashed={isTrashed} />
    </div>
  )
}
