import { behaviourSections, readBehaviours } from './behaviour-sections.ts'
import { definitionSections, fieldTypesSection } from './definition-sections.ts'
import { joinParts } from './markdown.ts'
import { modelSection } from './model-section.ts'
import { errorsSection } from './problem-codes.ts'
import type { Sources } from './sources.ts'

export const MODELS_PAGE = 'docs/reference/models.md'

export async function buildModelsPage(sources: Sources) {
  const behaviours = await readBehaviours(sources)
  const models = await Promise.all(
    sources.models.map((model) =>
      modelSection(
        sources,
        model,
        behaviours.find(({ path }) => path === model.path),
      ),
    ),
  )
  return joinParts([
    '<!-- Written by `npm run docs` from the definitions and their comments. Change those instead. -->',
    '# Models',
    'A model is plain data: its fields, who may do what with its records, and how long they are kept. The table, API, forms, permissions and privacy notice are derived from it. This page lists what a model can declare, and the models of the product. Terms are in the [glossary](../../CONTRIBUTING.md#glossary).',
    'A whole model, as the [README](../../README.md#add-a-model) adds it to a site:',
    exampleOf(sources.read('README.md')),
    ...fieldTypesSection(sources),
    ...(await definitionSections(sources)),
    ...(await behaviourSections(sources, behaviours)),
    ...errorsSection(sources),
    '## The product’s models',
    'In the order of the menu. “Reads” and “Writes” name the lowest access level; row scope and filters apply as well. A field without an entry under “Privacy” isn’t personal data.',
    ...models.flat(),
  ])
}

/** The README's example is tested (tools/checks/readme.test.ts). */
function exampleOf(readme: string) {
  const blocks = readme.match(/^```ts\n[\s\S]*?^```$/gm) ?? []
  const example = blocks.find((block) => block.includes('defineModel('))
  if (!example) throw new Error('The README has no example of a model any more')
  return example
}
