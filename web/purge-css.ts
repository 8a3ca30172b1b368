import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CSSOptions, Plugin } from 'vite'

const SOURCES = join(import.meta.dirname, 'src')

/** Drops Bootstrap's unused rules (docs/decisions/37-styles.md). A PostCSS step, so that file names hash the result. */
export const purgeCss = (): Plugin => ({
  name: 'purge-css',
  apply: 'build',
  config: () => ({ css: { postcss: { plugins: [purgeStep(readSources())] } } }),
})

type PostCssConfig = Exclude<CSSOptions['postcss'], string | undefined>
type AcceptedPlugin = NonNullable<PostCssConfig['plugins']>[number]
type Sources = { scripts: string; styles: string }

/** Removes a selector only if it requires a class that occurs in no script. */
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
      // Drops unread custom properties, repeatedly: removing one may leave another unread.
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

/** Ignores arguments of pseudo-classes: `:not(.a)` requires nothing, `:is(.a, .b)` only one of several. */
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
