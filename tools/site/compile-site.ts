import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { API, type Diagnostic } from 'typescript/unstable/async'
import { CHECKOUT } from '../stack/settings.ts'
import { fromCheckout, IS_TEST, sourcesIn } from './entry-points.ts'

const AREAS = 'web/src/messages/en'
/** The product's are in the API. */
const MAIL_TEXTS = 'mail-texts'

type Options = {
  /** Images and servers have neither the tests nor their kit. */
  isBuild: boolean
}

/** Type errors of the folder's code as `file:line: sentence`. */
export async function compileSite(folder: string, { isBuild }: Options): Promise<string[]> {
  const names = sourcesIn(folder).filter((name) => !isBuild || !IS_TEST.test(name))
  if (names.length === 0) return []
  const files = names.map((name) => join(folder, name))
  return [...files.flatMap(checkMessages), ...(await findTypeErrors(files))]
}

/** Without it, the compiler checks no key of a messages file. */
function checkMessages(file: string) {
  if (basename(resolve(file, '..')) !== 'messages') return []
  const area = basename(file).replace(/\.tsx?$/, '')
  if (area !== MAIL_TEXTS && !existsSync(join(CHECKOUT, AREAS, `${area}.ts`)))
    return [`${fromCheckout(file)}:1: there are no messages called "${area}": see ${AREAS}`]
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.at(-1)?.endsWith(`} satisfies Overrides['${area}']`)
    ? []
    : [
        `${fromCheckout(file)}:${lines.length}: must end with } satisfies Overrides['${area}'], which checks its keys`,
      ]
}

/** Of these files alone: `tsc` would check all of the product that they import, in four times as long. */
async function findTypeErrors(files: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-site-check-'))
  const project = join(directory, 'tsconfig.json')
  const settings = {
    extends: join(CHECKOUT, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(CHECKOUT, 'node_modules/@types')], types: ['node'] },
    files,
    include: [],
  }
  writeFileSync(project, JSON.stringify(settings))
  const compiler = new API({ cwd: CHECKOUT })
  try {
    const snapshot = await compiler.updateSnapshot({ openProjects: [project] })
    const program = snapshot.getProject(project)?.program
    if (!program) throw new Error('The compiler did not open the project of the site')
    const found = await Promise.all(
      files.map(async (file) => [
        ...(await program.getSyntacticDiagnostics(file)),
        ...(await program.getSemanticDiagnostics(file)),
      ]),
    )
    return [...new Set(found.flat().map(toSentence))]
  } finally {
    await compiler.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function toSentence(error: Diagnostic) {
  const { fileName = '', pos, code } = error
  const line = readFileSync(fileName, 'utf8').slice(0, pos).split('\n').length
  return `${fromCheckout(fileName)}:${line}: ${textOf(error)} (TS${code})`
}

const textOf = ({ text, messageChain = [] }: Diagnostic): string =>
  [text, ...messageChain.map((reason) => textOf(reason).replaceAll(/^/gm, '  '))].join('\n')
