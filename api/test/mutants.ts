import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** A place of the rule, named by its function, and what is left of it when somebody takes the rule away. */
export type Mutant = { in: string; from: string; to: string }

const SRC = new URL('../src/', import.meta.url).pathname

/** Every place that asks whose a record was, or writes it down. */
export const MUTANTS: Mutant[] = [
  { in: 'historyOf', from: "visibleThen(reading, 'step')", to: 'sql`true`' },
  { in: 'historyOf', from: "visibleThen(reading, 'earlier')", to: 'sql`true`' },
  { in: 'wasVisible', from: "visibleThen(view, 'step')", to: 'sql`true`' },
  { in: 'wasVisible', from: "visibleThen(view, 'earlier')", to: 'sql`true`' },
  { in: 'findSteps', from: '&& step.isVisible', to: '' },
  { in: 'canUndo', from: 'isVisible &&', to: '' },
  { in: 'stateAfter', from: "!wanted?.['isVisible']", to: '!wanted' },
  { in: 'rebuild', from: "visibleThen(changing, 'made')", to: 'sql`true`' },
  { in: 'rebuild', from: 'visible({ engine, model, table, caller, rows })', to: 'sql`true`' },
  { in: 'isTheirs', from: 'lower(t.email) = lower(${recipient})', to: 'true' },
  { in: 'isTheirs', from: 'owner is not distinct from t.client_id', to: 'true' },
  { in: 'visibleThen', from: "${kept('is_open')} and", to: '' },
  { in: 'visibleThen', from: '(${or(...ways) ?? sql`false`})', to: 'true' },
  { in: 'claimsOn', from: '&& isManager) claim', to: ') claim' },
  { in: 'ownership', from: 'coalesce(parent.is_open, false)', to: 'true' },
  { in: 'ownership', from: '${isOpen(engine, model)} and', to: '' },
  { in: 'ownValues', from: '${value(owner)}', to: 'null' },
  { in: 'ownValues', from: '${value(orgManagers)}', to: 'null' },
]

/** `app.ts?mutant=3` is the whole API with the third mutant in it: every module it imports carries the number on. */
export const mutants = (): Plugin => ({
  name: 'mutants',
  enforce: 'pre',
  async resolveId(source, importer) {
    const mark = /\?mutant=\d+$/.exec(importer ?? '')?.[0]
    if (!mark || !importer) return null
    const found = await this.resolve(source, importer.slice(0, -mark.length), { skipSelf: true })
    return found?.id.startsWith(SRC) ? `${found.id}${mark}` : found
  },
  load(id) {
    const [file = '', number] = id.split('?mutant=')
    if (number === undefined || !file.startsWith(SRC)) return null
    const text = readFileSync(file, 'utf8')
    const mutant = MUTANTS[Number(number)]
    return mutant ? mutate(text, mutant) : text
  },
})

/** The files in which a mutant finds its place: one, or it is out of date. */
export const filesOf = (mutant: Mutant) =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => {
      const text = readFileSync(join(SRC, file), 'utf8')
      return mutate(text, mutant) !== text
    })

function mutate(text: string, { in: name, from, to }: Mutant) {
  const start = new RegExp(`^(export )?((async )?function|const) ${name}\\b`, 'm').exec(text)?.index
  if (start === undefined) return text
  const end = /\n\n(?=\S)/.exec(text.slice(start))?.index ?? text.length
  const body = text.slice(start, start + end)
  return text.slice(0, start) + body.replace(from, () => to) + text.slice(start + end)
}
