// The full table is aria-hidden, so empty cells are fine.
/* oxlint-disable jsx-a11y/control-has-associated-label */
import type { TypeFacts } from '@gatehouse/model'
import { specifiedMessages } from '#messages/specified.ts'
import { fieldFacts } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import type { Definition } from '#data/definitions.ts'
import { COLUMNS_AT_FIRST, columnsToChoose, givenColumns, isRight } from '#records/query/columns.ts'

const ROWS = 10
/** Widths close to the real content. */
const WIDTHS_REM: Record<TypeFacts['column'], number> = {
  boolean: 2,
  integer: 3,
  numeric: 3,
  date: 6,
  timestamp: 8,
  uuid: 8,
  text: 7,
  textArray: 7,
  uuidArray: 7,
}
const OPTION_WIDTH_REM = 5
const NAMES_PERCENT = [62, 48, 70, 54, 66]

export function ListSkeleton({ definition }: { definition: Definition }) {
  const columns = givenColumns(definition) ?? columnsToChoose(definition).slice(0, COLUMNS_AT_FIRST)
  const rows = Array.from({ length: ROWS }, (_none, index) => index)
  return (
    <>
      <p className="visually-hidden" role="status">
        {specifiedMessages.loadingRoute}
      </p>
      <div className="work-h">
        <h1>{definition.viewData.title}</h1>
      </div>
      <div className="panel grid-panel" aria-busy="true">
        <div className="filterbar" />
        <div className="tbl-wrap" aria-hidden="true">
          <table className="tbl stack skel">
            <thead>
              <tr>
                {columns.map((field) => (
                  <th key={field.name} className={isRight(field) ? 'r' : undefined}>
                    {field.label}
                  </th>
                ))}
                <th />
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row}>
                  {columns.map((field, index) => (
                    <td
                      key={field.name}
                      className={`${index === 0 ? 'c-main' : 'hide-m'}${isRight(field) ? ' r' : ''}`}
                    >
                      <i style={{ width: widthOf(field, index, row) }} />
                    </td>
                  ))}
                  <td className="c-act" />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </>
  )
}

function widthOf(field: DefinitionField, index: number, row: number) {
  if (index === 0) return `${NAMES_PERCENT[row % NAMES_PERCENT.length]}%`
  const { column, options } = fieldFacts(field)
  return `${options === 'one' ? OPTION_WIDTH_REM : WIDTHS_REM[column]}rem`
}
