import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultOptions, PurgeCSS, standardizeSafelist } from 'purgecss'
import type { CSSOptions, Plugin } from 'vite'

const SOURCES = join(import.meta.dirname, 'src')

/** Class names nobody writes out in our sources: react-bootstrap puts them together, or code does from data. */
const MADE_AT_RUN_TIME = {
  standard: [
    'show showing hiding fade active disabled btn-close',
    'modal modal-open modal-backdrop modal-sm modal-lg modal-dialog modal-dialog-centered',
    'modal-content modal-header modal-title modal-body modal-footer',
    'offcanvas offcanvas-end offcanvas-backdrop offcanvas-header offcanvas-title offcanvas-body',
    'dropdown dropdown-menu dropdown-item dropdown-toggle',
  ].flatMap((names) => names.split(' ')),
  // Drawings name them in attributes.
  variables: [/^--gh-/],
}

/**
 * Takes the styles out that nothing on the site can ever match. Bootstrap brings most of them. As a step of PostCSS, so
 * that the name of the file is made from what is left.
 */
export const purgeCss = (): Plugin => ({
  name: 'purge-css',
  apply: 'build',
  config: () => ({ css: { postcss: { plugins: [step] } } }),
})

type PostCssConfig = Exclude<CSSOptions['postcss'], string | undefined>
type AcceptedPlugin = NonNullable<PostCssConfig['plugins']>[number]

const step: AcceptedPlugin = {
  postcssPlugin: 'purge-css',
  async OnceExit(root) {
    const purge = new PurgeCSS()
    const safelist = standardizeSafelist(MADE_AT_RUN_TIME)
    purge.options = {
      ...defaultOptions,
      safelist,
      defaultExtractor: (text) => text.match(/[\w-]+/g) ?? [],
      keyframes: true,
      variables: true,
    }
    purge.variablesStructure.safelist = safelist.variables
    const content = [{ raw: sources(), extension: 'tsx' }]
    purge.walkThroughCSS(root, await purge.extractSelectorsFromString(content, []))
    purge.removeUnusedKeyframes()
    purge.removeUnusedCSSVariables()
  },
}

/** Everything a class name may stand in. */
const sources = () =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^content\//.test(name))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
    .join('\n')
