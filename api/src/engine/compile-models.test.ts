import { ACCESS_LEVELS, listFields, readSchema, visibleFields } from '@gatehouse/model'
import { kitchensink, models } from '@gatehouse/model/models'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { compileModels } from './compile-models.ts'
import { buildTables } from './build-tables.ts'

const ALL = [...models, kitchensink]
const compiled = compileModels(ALL, buildTables(ALL))
const textOf = (part: Parameters<PgDialect['sqlToQuery']>[0]) => new PgDialect().sqlToQuery(part)

test.each(
  ALL.flatMap((model) => ACCESS_LEVELS.map((level) => [model.path, level, model] as const)),
)(
  'the view of %s for level %s selects and describes its visible columns only',
  (path, level, model) => {
    const { record, list } = compiled.get(path)?.levels[level] ?? raise(path)
    for (const [view, visible] of [
      [record, visibleFields(model, level)],
      [list, listFields(model, level)],
    ] as const) {
      expect(view.fields).toEqual(visible)
      const names = columnAliases(textOf(view.selection.live).sql)
      const hidden = Object.keys(model.fields).filter(
        (name) => !visible.some(([one]) => one === name),
      )
      expect(names.filter((name) => hidden.includes(name))).toEqual([])
      expect(names).not.toContain('deletedAt')
      expect(columnAliases(textOf(view.selection.trash).sql)).toEqual([...names, 'deletedAt'])
    }
    expect(record.schema).toEqual(readSchema(model, level))
  },
)

test('equal access levels share their schemas', () => {
  const { levels } = compiled.get('organisations') ?? raise('organisations')
  expect(levels.public.create).not.toBe(levels.admin.create)
  const all = [...compiled.values()].flatMap(({ levels: by }) => Object.values(by))
  const texts = new Set(all.map(({ record }) => JSON.stringify(record.schema)))
  expect(new Set(all.map(({ record }) => record.schema)).size).toBe(texts.size)
  expect(texts.size).toBeLessThan(all.length)
})

const columnAliases = (text: string) =>
  [...text.matchAll(/ as "(\w+)"/g)].map(([, name = '']) => name)

const raise = (path: string): never => {
  throw new Error(`${path} is not compiled`)
}
