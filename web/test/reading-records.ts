import type { Definition } from '#data/definitions.ts'

export const definitions: Definition[] = ['services', 'articles'].map((path) => ({
  path,
  routeName: path,
  viewData: { title: path, displayField: path === 'services' ? 'name' : 'title', fields: [] },
  presentation: { pages: { kind: 'reading', by: 'slug' } },
}))

export type Row = Record<string, unknown> & { id: string; slug: string }

export const service = (id: string, over: object = {}): Row => ({
  id,
  version: 1,
  name: `Service ${id}`,
  slug: id,
  category: 'Advisory',
  summary: 'A summary.',
  description: 'Text.',
  updatedAt: '2026-11-01T10:00:00Z',
  ...over,
})

export const article = (id: string, over: object = {}): Row => ({
  id,
  version: 1,
  title: `Article ${id}`,
  slug: id,
  kind: 'Guide',
  summary: 'A summary.',
  body: 'Text.',
  service: null,
  pinned: false,
  publishedAt: '2026-11-02T10:00:00Z',
  updatedAt: '2026-11-03T10:00:00Z',
  ...over,
})

/** The API, as a visitor sees it. */
export const serving =
  (records: { services: Row[]; articles: Row[] }) =>
  async (path: string): Promise<unknown> => {
    const [, model, id, query] = /^(\w+)(?:\/([^?]+))?(?:\?(.*))?$/.exec(path) ?? []
    const rows = records[model as 'services']
    if (id !== undefined) return rows.find((one) => one.id === id)
    const filter = new URLSearchParams(query).get('filter')
    const { all } = (filter ? JSON.parse(filter) : { all: [] }) as { all: Test[] }
    return { items: rows.filter((row) => all.every((test) => holds(test, row))) }
  }

type Test = { any: Test[] } | [name: string, operator: string, value: unknown]

function holds(test: Test, row: Row): boolean {
  if ('any' in test) return test.any.some((one) => holds(one, row))
  const [name, operator, value] = test
  return operator === 'empty' ? ((row[name] ?? null) === null) === value : row[name] === value
}
