import { useImperativeHandle, type RefObject } from 'react'
import type { Visitor } from '@gatehouse/model'
import { canDo, nameOf } from '#data/definitions.ts'
import { paletteMessages } from '#messages/palette.ts'
import { actionsFor, type ModelAction } from '#records/actions/model-actions.ts'
import { useActions } from '#records/actions/use-actions.tsx'
import type { OpenRecord } from './open-record.ts'
import type { PaletteItem } from './palette-item.ts'

/** What the open record's page offers too. */
export function recordActions({ definition, record }: OpenRecord, visitor: Visitor) {
  const path = `/${definition.path.toLowerCase()}`
  const id = encodeURIComponent(String(record['id']))
  const name = nameOf(definition)
  return [
    ...actionsFor(definition, record, visitor?.sub ?? null).map((action) => ({
      key: `action ${action.name}`,
      label: action.label,
      icon: 'chevron-right',
      action,
    })),
    ...(canDo(definition, 'update', visitor)
      ? [
          {
            key: 'edit',
            label: paletteMessages.edit(name),
            icon: 'pencil',
            to: `${path}/edit/${id}`,
          },
        ]
      : []),
    ...(canDo(definition, 'delete', visitor)
      ? [
          {
            key: 'delete',
            label: paletteMessages.delete(name),
            icon: 'trash3',
            to: `${path}/delete/${id}`,
          },
        ]
      : []),
  ] satisfies PaletteItem[]
}

type Props = OpenRecord & { start: RefObject<((action: ModelAction) => void) | null> }

/** Runs actions after the palette has closed, and shows their forms. */
export function RunningActions({ definition, record, start }: Props) {
  const actions = useActions(definition, [record], true)
  useImperativeHandle(start, () => (action) => actions.start(action, record))
  return actions.form
}
