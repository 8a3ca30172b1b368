import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const CATALOGUES = join(import.meta.dirname, 'src/messages')
const OVERRIDE = join(import.meta.dirname, '../model/src/site/override-messages.ts')
const MERGED = '\0messages:'
/** Email texts: the API reads them from the same folder. */
const OF_API = ['mail-texts.ts']

export const catalogueOf = (locale: string, catalogues = CATALOGUES) =>
  [locale, locale.split('-')[0] ?? ''].find((name) => existsSync(join(catalogues, name))) ?? 'en'

type Options = {
  /** A folder with one file per area. */
  catalogue: string
  /** The site's overrides: files of the same names. The folder is optional. */
  own: string
}

/** Resolves `#messages/list.ts` to the site's language, with the site's overrides applied. */
export function messages({ catalogue, own }: Options): Plugin {
  const overridden = existsSync(own)
    ? readdirSync(own).filter((name) => name.endsWith('.ts') && !OF_API.includes(name))
    : []
  for (const name of overridden) {
    if (!existsSync(join(catalogue, name))) throw new Error(`${join(own, name)}: no such area`)
    if (name.startsWith('specified'))
      throw new Error(`${join(own, name)}: the specification’s texts are fixed`)
  }
  return {
    name: 'messages',
    enforce: 'pre',
    resolveId: (source) => {
      const name = /^#messages\/([a-z-]+\.ts)$/.exec(source)?.[1]
      if (!name) return source.startsWith(MERGED) ? source : null
      return overridden.includes(name) ? MERGED + name : join(catalogue, name)
    },
    load: (id) => {
      if (!id.startsWith(MERGED)) return null
      const name = id.slice(MERGED.length)
      const [, exported] =
        /^export const (\w+)/m.exec(readFileSync(join(catalogue, name), 'utf8')) ?? []
      return `
        import { ${exported} as messages } from ${JSON.stringify(join(catalogue, name))}
        import own from ${JSON.stringify(join(own, name))}
        import { overrideMessages } from ${JSON.stringify(OVERRIDE)}
        export const ${exported} = overrideMessages(messages, own, ${JSON.stringify(name.replace('.ts', ''))})`
    },
  }
}
