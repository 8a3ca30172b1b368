import type { DefinitionField } from '#data/field.ts'
import { Cell } from './cell.tsx'
import type { RecordData } from './loader-errors.ts'

export function Properties({ fields, record }: { fields: DefinitionField[]; record: RecordData }) {
  return (
    <dl className="props">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <Cell field={field} record={record} isWhole />
          </dd>
        </div>
      ))}
    </dl>
  )
}
