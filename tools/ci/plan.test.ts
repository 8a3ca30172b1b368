import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DRILLS } from './drills.ts'
import { ignoringEnv, planRun } from './plan.ts'
import { ALWAYS_COVERED, SUITES, TRIGGER_ALL } from './suites.ts'

const ROOT = new URL('../../', import.meta.url)
const plan = (changed: string[] | null, rotation = 0) => planRun({ changed, rotation })
const triggers = [...Object.values(SUITES), ...Object.values(DRILLS)].flatMap(
  ({ triggerPaths }) => triggerPaths,
)

describe('what a change runs', () => {
  test('without a known base every suite runs', () => {
    expect(plan(null).leftOut).toEqual([])
  })

  test('a change of a page leaves out mutants, matrices of the API, identity and bench', () => {
    const { leftOut, drills } = plan(['web/src/public/contact.tsx'])
    expect(new Set(leftOut)).toEqual(new Set(Object.keys(SUITES)))
    expect(drills).toHaveLength(1)
  })

  test('a change of the engine runs mutants and matrices of the API, not the browser’s or identity', () => {
    expect(plan(['api/src/engine/query/list.ts']).leftOut).toEqual(['foreign', 'identity'])
  })

  test('a change of the test kits, of CI or of a dependency runs everything', () => {
    for (const path of ['api/test/kit.ts', 'tools/ci/plan.ts', 'package-lock.json'])
      expect(plan([path]).leftOut, path).toEqual([])
  })

  test('a change triggers the drills whose paths it touches', () => {
    expect(plan(['ops/backup/backup.sh']).drills).toContain('restore')
    expect(plan(['api/src/platform/db.ts']).drills).toContain('database-down')
  })

  test('the rotating drill differs from run to run, and every short drill has its turn', () => {
    const short = Object.keys(DRILLS).filter((name) => !DRILLS[name]?.isLong)
    const turns = short.map((_, rotation) => plan(['README.md'], rotation).drills)
    expect(new Set(turns.flat())).toEqual(new Set(short))
    const withoutBase = short.flatMap((_, rotation) => plan(null, rotation).drills)
    expect(new Set(withoutBase)).toEqual(new Set(short))
  })

  test('the runners are told which files a run leaves out', () => {
    expect(ignoringEnv({ leftOut: [] })).toMatchObject({ UNIT_IGNORE: '', E2E_IGNORE: '' })
    const env = ignoringEnv({ leftOut: ['leak', 'foreign'] })
    expect(env.UNIT_IGNORE).toContain('leak.test.ts')
    expect(env.E2E_IGNORE).toContain('foreign.spec.ts')
    expect(env.UNIT_IGNORE).not.toContain('foreign')
  })

  test('drills over the budget are reported as skipped', () => {
    const { drills, skipped } = plan(['Containerfile', 'ops/install.sh', 'ops/backup/backup.sh'])
    expect(drills).toContain('restore')
    expect(skipped).toContain('install')
  })
})

describe('trigger paths', () => {
  test.each(triggers.concat(TRIGGER_ALL).map((path) => [path]))('%s exists', (path) => {
    const isThere = existsSync(new URL(path, ROOT))
    expect(isThere || globSync(`${path}*`, { cwd: ROOT }).length > 0).toBe(true)
  })

  test('every file of a suite exists', () => {
    for (const { files } of Object.values(SUITES))
      for (const file of files) expect(globSync(file, { cwd: ROOT }), file).not.toHaveLength(0)
  })

  test.each(['api/src', 'web/src', 'ops'])(
    'every folder of %s triggers a suite or drill, or is listed as always covered',
    (parent) => {
      const folders = readdirSync(new URL(parent, ROOT), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${parent}/${name}`)
      const covered = Object.keys(ALWAYS_COVERED)
      const isTriggering = (folder: string) =>
        triggers.some((path) => path === folder || path.startsWith(`${folder}/`))
      expect(folders.filter((one) => !isTriggering(one) && !covered.includes(one))).toEqual([])
      const own = covered.filter((one) => one.startsWith(`${parent}/`))
      expect(own.filter((one) => !folders.includes(one) || isTriggering(one))).toEqual([])
    },
  )
})

describe('drills', () => {
  test('tools/ci/drills.ts lists exactly the drills that exist', () => {
    const text = readFileSync(new URL('ops/drills/run.ts', ROOT), 'utf8')
    const names = [...text.matchAll(/^ {2}'?([a-z][\w-]*)'?: async \(\) =>/gm)].map(
      ([, name]) => name,
    )
    expect(new Set(names)).toEqual(new Set(Object.keys(DRILLS)))
  })

  test('the nightly and weekly workflows run every drill in full', () => {
    const drillsOf = (file: string) => {
      const text = readFileSync(new URL(`.github/workflows/${file}`, ROOT), 'utf8')
      return /drill:\s*\[([^\]]*)\]/.exec(text)?.[1]?.match(/[\w-]+/g) ?? []
    }
    const covered = [...drillsOf('nightly.yml'), ...drillsOf('weekly.yml')]
    expect(new Set(covered)).toEqual(new Set(Object.keys(DRILLS)))
  })
})
