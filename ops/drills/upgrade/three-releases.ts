import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addSite, copyWorkspace, runIn, withoutSite } from '../../../tools/build/workspace.ts'
import { startDrillEnvironment, type DrillEnvironment } from '../kit/drill-environment.ts'
import { report, seconds, type Result } from '../kit/results.ts'
import { withApi, type Client } from './api-client.ts'
import { enlargeSite, LARGE_ROWS, SEED_INVOICES } from './large-site.ts'
import { addCourierPhone, rewrite } from './release.ts'

const FIRST = 'ann@copper.example'
const SECOND = 'ben@copper.example'
const PHONE = '+353 1 555 0100'

/** Names of one field of the product and one of the site, release by release. */
const PRODUCT_NAMES = ['courierPhone', 'courierTel', 'courierNumber']
const SITE_NAMES = ['sentTo', 'postedTo', 'mailedTo', 'billedTo']

const IDENTITY = ['-c', 'user.name=drill', '-c', 'user.email=drill@example.test']

/**
 * Upgrades a site through three releases of the product. In each the site renames a field, in two the product does; the first also
 * adds a required column. Values, history and restored versions must outlive all of them.
 */
export async function upgradeThrice({ isLarge }: { isLarge: boolean }) {
  const started = Date.now()
  const copy = copyWorkspace()
  const environment = await startDrillEnvironment()
  try {
    const { results, figures } = await run(copy, environment, isLarge)
    const name = isLarge ? 'upgrade-large' : 'upgrade releases'
    return report(name, results, `${figures}, ${seconds(started)} s`)
  } finally {
    await environment.close()
    rmSync(copy, { recursive: true, force: true })
  }
}

async function run(copy: string, environment: DrillEnvironment, isLarge: boolean) {
  const git = (...args: string[]) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: copy, encoding: 'utf8', stdio: 'pipe' })
  const commit = (message: string) => {
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
  }
  const { DATABASE_MIGRATION_URL: url, ...env } = environment.env
  const migrate = () =>
    timed(() =>
      execFileSync('npm', ['run', '--silent', 'db:migrate'], {
        cwd: copy,
        encoding: 'utf8',
        env: { ...withoutSite(), DATABASE_MIGRATION_URL: url },
        stdio: 'pipe',
      }),
    )

  git('init', '--quiet', '--initial-branch=product')
  commit('The release before')
  git('checkout', '--quiet', '-b', 'provider')
  addSite(copy)
  if (isLarge) enlargeSite(copy)
  runIn(copy, 'notice:write')
  runIn(copy, 'openapi')
  commit('Our site')
  const migrations = migrationsIn(copy)
  migrate()
  if (isLarge) await environment.ask(SEED_INVOICES)
  const ids = await withApi(copy, environment, env, createRecords)

  const results: Result[] = []
  const times: string[] = []
  for (const number of [1, 2, 3]) {
    git('checkout', '--quiet', 'product')
    publishProduct(copy, number)
    commit(`Release ${number}`)
    git('checkout', '--quiet', 'provider')
    git('merge', '--quiet', '--no-edit', 'product')
    changeSite(copy, number)
    const checked = timed(() => runIn(copy, 'site:check'))
    commit(`Our site with release ${number}`)
    const migrated = migrate()
    times.push(`${migrated.took} s (site:check ${checked.took} s)`)
    results.push({
      title: `release ${number}: site:check`,
      isRight: checked.output.includes('no errors'),
      figure: checked.output.includes('no errors') ? `${checked.took} s` : checked.output,
    })
    results.push(
      ...(await withApi(copy, environment, env, (ask) => checkRelease(ask, { ...ids, number }))),
    )
  }
  results.push(...(await checkColumns(environment, isLarge)))
  const size = isLarge ? `30 models, ${migrations} migrations, ${LARGE_ROWS} rows, ` : ''
  return { results, figures: `${size}migrated in ${times.join(', ')}` }
}

function timed(run: () => string) {
  const started = Date.now()
  return { output: run(), took: seconds(started) }
}

const migrationsIn = (copy: string) =>
  readdirSync(join(copy, 'site/migrations')).filter((name) => name.endsWith('.sql')).length

/** Adds a field, which the releases after it rename. */
function publishProduct(copy: string, number: number) {
  const [before, after] = [PRODUCT_NAMES[number - 2], PRODUCT_NAMES[number - 1] ?? '']
  if (before === undefined) addCourierPhone(copy)
  else rename(join(copy, 'model/src/models/organisations.ts'), before, after)
  runIn(copy, 'db:migration', `release-${number}`)
  if (before === undefined) runIn(copy, 'openapi')
  else runIn(copy, 'openapi', '--', '--breaking', 'The drill renames a field')
  runIn(copy, 'notice:write')
}

/** Renames a field wherever the site uses it; the first time, adds a required column. */
function changeSite(copy: string, number: number) {
  const [before = '', after = ''] = [SITE_NAMES[number - 1], SITE_NAMES[number]]
  const model = join(copy, 'site/models/invoices.ts')
  rename(model, before, after)
  rewrite(model, `email: '${before}'`, `email: '${after}'`)
  const behaviour = join(copy, 'site/behaviours/invoices.ts')
  writeFileSync(behaviour, readFileSync(behaviour, 'utf8').replaceAll(before, after))
  if (number === 1)
    rewrite(
      model,
      '    issuedOn: ',
      "    terms: { type: 'text', label: 'Terms', required: true, privacy: np },\n    issuedOn: ",
    )
  execFileSync('npx', ['prettier', '--write', 'site'], { cwd: copy, stdio: 'pipe' })
  const answer = number === 1 ? ['--', '--value', 'site_invoices.terms=30 days'] : []
  runIn(copy, 'db:migration', `change-${number}`, ...answer)
  runIn(copy, 'openapi')
  runIn(copy, 'notice:write')
}

function rename(file: string, before: string, after: string) {
  const text = readFileSync(file, 'utf8')
  const former = /formerly: \[([^\]]*)\]/.exec(fieldIn(text, before))?.[1]
  const names = `formerly: [${former ? `${former}, ` : ''}'${before}']`
  const field = fieldIn(text, before)
    .replace(`${before}: {`, `${after}: {`)
    .replace(/ formerly: \[[^\]]*\],/, '')
    .replace('{', `{ ${names},`)
  writeFileSync(
    file,
    text.replace(fieldIn(text, before), () => field),
  )
}

/** A field's declaration up to the line of the next. */
function fieldIn(text: string, name: string) {
  const start = text.indexOf(`\n    ${name}: {`)
  if (start < 0) throw new Error(`no field ${name}`)
  const next = text.slice(start + 1).search(/\n {4}\w+: |\n {2}\}/)
  return text.slice(start, start + 1 + next)
}

type Ids = { organisation: string; invoice: string }

/** The release before: an invoice that is sent to one address, then to another. */
async function createRecords(ask: Client): Promise<Ids> {
  const organisation = await ask('POST', 'organisations', { name: 'Copper & Sons' })
  const invoice = await ask('POST', 'invoices', { reference: 'R-1', amount: 5, sentTo: FIRST })
  const ids = { organisation: String(organisation.json['id']), invoice: String(invoice.json['id']) }
  const changed = await ask('PUT', `invoices/${ids.invoice}`, { sentTo: SECOND })
  if (changed.status !== 200) throw new Error(JSON.stringify(changed))
  return ids
}

async function checkRelease(
  ask: Client,
  { organisation, invoice, number }: Ids & { number: number },
): Promise<Result[]> {
  const name = SITE_NAMES[number] ?? ''
  const product = PRODUCT_NAMES[number - 1] ?? ''
  const found = await ask('GET', `invoices/${invoice}`)
  const history = await ask('GET', `invoices/${invoice}/history`)
  const restored = await ask('POST', `invoices/${invoice}/restore`, { version: 1 })
  const back = await ask('PUT', `invoices/${invoice}`, { [name]: SECOND })
  const called =
    number === 1
      ? await ask('PUT', `organisations/${organisation}`, { [product]: PHONE })
      : await ask('GET', `organisations/${organisation}`)
  const is = (title: string, isRight: boolean, answer: object): Result => ({
    title: `release ${number}: ${title}`,
    isRight,
    figure: isRight ? '' : JSON.stringify(answer).slice(0, 600),
  })
  return [
    is(
      'a renamed field has its value, a required one the one given',
      found.json[name] === SECOND && found.json['terms'] === '30 days',
      found,
    ),
    is(
      'history has the present name alone',
      JSON.stringify(history.json).includes(`"${name}"`) &&
        !SITE_NAMES.slice(0, number).some((old) =>
          JSON.stringify(history.json).includes(`"${old}"`),
        ),
      history,
    ),
    is('the first version is restored', restored.json[name] === FIRST, restored),
    is('the renamed field is written', back.json[name] === SECOND, back),
    is('the product’s renamed field has its value', called.json[product] === PHONE, called),
  ]
}

async function checkColumns({ ask }: DrillEnvironment, isLarge: boolean): Promise<Result[]> {
  const columns = await ask(`select column_name as name from information_schema.columns
    where table_name = 'site_invoices' and column_name in ('sent_to', 'posted_to', 'mailed_to', 'billed_to')`)
  const [{ count } = {}] = await ask(
    `select count(*)::int as count from site_invoices where terms = '30 days'`,
  )
  return [
    {
      title: 'the column keeps its first name',
      isRight: columns.length === 1 && columns[0]?.['name'] === 'sent_to',
      figure: columns.map(({ name }) => name).join(' '),
    },
    {
      title: 'every row has the required value',
      isRight: count === (isLarge ? LARGE_ROWS : 0) + 1,
      figure: `${String(count)} rows`,
    },
  ]
}
