import fc from 'fast-check'
import type { Scope } from './scope.ts'
import type { Person, Row } from './scope-oracle.ts'
import { fixture } from './toy-models.ts'

/** More than the cap of a total. */
const BULK = 1_010
const KEEPERS = ['keeper', 'keeper-too', 'moved', 'bulk']
const TRASHED = '2026-01-02T03:04:05.000Z'

const boxesOf = (sub: string | null, boxes: Row[]) =>
  boxes.filter((box) => box['keeper'] === sub && box.deletedAt === null).map(({ id }) => id)

export const scope: Scope = {
  models: fixture.models,
  sentences: {
    boxes: { access: 'UUAAA', scope: { org: 'id' }, hidden: ['keeper'] },
    things: {
      access: 'UUUUA',
      scope: { owner: 'owner', org: 'box' },
      hidden: ['secret'],
      unwritable: ['secret', 'box'],
      set: { owner: 'sub' },
    },
  },
  sizes: { boxes: 14, things: 90 },
  favourites: ['things'],
  circle: 'things',
  peopleAfter: 'boxes',
  drawPeople: (_draw, rows) => {
    const boxes = rows.get('boxes') ?? []
    for (const box of boxes) box['keeper'] = null
    // One keeper has two boxes, another has one in the trash.
    for (const [place, name] of [...KEEPERS, 'keeper', 'gone'].entries())
      Object.assign(boxes[place] ?? {}, {
        keeper: `sub-${name}`,
        deletedAt: name === 'gone' ? TRASHED : null,
        restrictedAt: null,
      })
    const users = ['plain', ...KEEPERS, 'gone'].map((name): Person => ({
      sub: `sub-${name}`,
      name,
      role: 'user',
    }))
    return [null, ...users, { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' }]
  },
  held: ({ sub }, rowsOf) => {
    const boxes = boxesOf(sub, rowsOf('boxes'))
    return { org: boxes, orgManagers: [], contact: null, organisation: null }
  },
  share: (row, sub, rowsOf) => {
    const [box] = boxesOf(sub, rowsOf('boxes'))
    if (box && 'box' in row) row['box'] = box
  },
  addBulk: (draw, rows) => {
    const [box] = boxesOf('sub-bulk', rows.get('boxes') ?? [])
    for (let place = 0; place < BULK; place++)
      rows.get('things')?.push({
        id: draw(fc.uuid),
        deletedAt: null,
        restrictedAt: null,
        text: 'bulk',
        integer: place % 7 === 0 ? null : place % 10,
        owner: 'sub-bulk',
        box: place % 2 === 0 ? box : null,
      })
  },
  valueOf: (path, row, name) =>
    path === 'boxes' && name === 'isBig' ? Number(row['size'] ?? 0) > 100 : undefined,
}
