import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultOptions, PurgeCSS, standardizeSafelist } from 'purgecss'
import type { CSSOptions, Plugin } from 'vite'

const SOURCES = join(import.meta.dirname, 'src')

/** Drawings name them in attributes. */
const USED_BY_NAME = { variables: [/^--gh-/] }

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
    const safelist = standardizeSafelist(USED_BY_NAME)
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
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^messages\//.test(name))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
    .join('\n')
