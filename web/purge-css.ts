import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CSSOptions, Plugin } from 'vite'

const SOURCES = join(import.meta.dirname, 'src')

/** Drops Bootstrap's unused rules: docs/decisions/37-styles.md. As a step of PostCSS, so that file names hash what is left. */
export const purgeCss = (): Plugin => ({
  name: 'purge-css',
  apply: 'build',
  config: () => ({ css: { postcss: { plugins: [purgeStep(readSources())] } } }),
})

type PostCssConfig = Exclude<CSSOptions['postcss'], string | undefined>
type AcceptedPlugin = NonNullable<PostCssConfig['plugins']>[number]
type Sources = { scripts: string; styles: string }

/** Only what can't match: a selector goes if it requires a class that no script names, and for no other reason. */
function purgeStep({ scripts, styles }: Sources): AcceptedPlugin {
  const words = new Set(scripts.match(/[\w-]+/g))
  const mayMatch = (selector: string) => requiredClasses(selector).every((name) => words.has(name))
  return {
    postcssPlugin: 'purge-css',
    OnceExit(root) {
      root.walkRules((rule) => {
        const used = rule.selectors.filter(mayMatch)
        if (used.length === 0) rule.remove()
        else if (used.length < rule.selectors.length) rule.selectors = used
      })
      // Until none is left that only unused ones read.
      for (let dropped = -1; dropped !== 0;) {
        const read = new Set(variablesRead(styles + root.toString()))
        dropped = 0
        root.walkAtRules('layer', (layer) => {
          if (layer.params !== 'bootstrap') return
          layer.walkDecls(/^--/, (declaration) => {
            if (read.has(declaration.prop)) return
            declaration.remove()
            dropped++
          })
        })
      }
    },
  }
}

/** Without what stands in brackets: `:not(.a)` requires nothing, `:is(.a, .b)` one of many. */
export const requiredClasses = (selector: string) => {
  let bare = selector.replaceAll(/\[[^\]]*\]/g, '')
  while (bare.includes('(')) bare = bare.replaceAll(/\([^()]*\)/g, '')
  return [...bare.matchAll(/\.([a-z_-][\w-]*)/gi)].map(([, name = '']) => name)
}

const variablesRead = (css: string) =>
  [...css.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name = '']) => name)

function readSources(): Sources {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const read = (pattern: RegExp) =>
    names
      .filter((name) => pattern.test(name) && !/\.test\.tsx?$|^messages\//.test(name))
      .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
      .join('\n')
  return { scripts: read(/\.tsx?$/), styles: read(/\.scss$/) }
}
