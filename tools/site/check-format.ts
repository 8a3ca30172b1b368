import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { CHECKOUT } from '../stack/settings.ts'
import { fromCheckout } from './entry-points.ts'

const FORMATTED = /\.(tsx?|json|css)$/
/** Written by commands. */
const GENERATED = /^(notice|migrations|node_modules)\/|^openapi\.json$/

/** Files that prettier would change, with the first line it would. The compiler and the reader of settings report syntax errors. */
export async function checkFormat(folder: string): Promise<string[]> {
  const options = await resolveConfig(join(CHECKOUT, 'package.json'))
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => FORMATTED.test(name) && !GENERATED.test(name))
    .toSorted()
  const found = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      const text = readFileSync(file, 'utf8')
      const wanted = await format(text, { ...options, filepath: file }).catch(() => text)
      return wanted === text
        ? []
        : [
            `${fromCheckout(file)}:${firstDifference(text, wanted)}: not formatted: npx prettier --write ${fromCheckout(file)}`,
          ]
    }),
  )
  return found.flat()
}

function firstDifference(text: string, wanted: string) {
  const lines = wanted.split('\n')
  return 1 + text.split('\n').findIndex((line, index) => line !== lines[index])
}
