import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HtmlValidate } from 'html-validate'

/** How React writes markup, which browsers read the same. */
const SPELLING = [
  'attr-case',
  'attribute-boolean-style',
  'attribute-empty-style',
  'doctype-style',
  'void-style',
]

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: Object.fromEntries(SPELLING.map((rule) => [rule, 'off'])),
})

/** The build's template, without the file names it fills in. */
export const assets = {
  template: readFileSync(join(import.meta.dirname, '../index.html'), 'utf8'),
  font: '/static/font.woff2',
  brand: null,
  app: { scripts: ['/static/app.js'], styles: ['/static/app.css'] },
  scripts: {},
  styles: {},
}

/** Errors of a document, one line each. */
export async function findHtmlErrors(html: string) {
  const { results } = await validator.validateString(html)
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`)
}
