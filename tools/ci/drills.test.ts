import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chooseDrills, DRILLS } from './drills.ts'

const ALWAYS = ['api-kill', 'metrics', 'headers', 'upgrade', 'fuzz']
const choose = (changed: string[], turn = 0) => chooseDrills({ changed, rotation: turn })

test('any change runs the five fixed drills and one in rotation', () => {
  expect(choose(['README.md']).chosen).toEqual([...ALWAYS, 'database-down'])
})

test('the sixth drill rotates: each of the other five runs once within five runs', () => {
  const sixths = [0, 1, 2, 3, 4].map((turn) => choose([], turn).chosen.at(-1))
  expect(sixths).toEqual(['database-down', 'deploy', 'enquiry', 'jobs', 'restore'])
})

test('a change triggers the drills whose paths it touches', () => {
  expect(choose(['ops/backup/backup.sh']).chosen).toContain('restore')
  expect(choose(['api/src/jobs/worker.ts'], 1).chosen).toEqual([...ALWAYS, 'enquiry', 'deploy'])
})

test('drills over the eight-minute budget are reported as skipped', () => {
  const { chosen, skipped, seconds } = choose(['Containerfile', 'ops/backup/backup.sh'])
  expect(chosen).not.toContain('image')
  expect(skipped).toContain('image')
  expect(seconds).toBeLessThanOrEqual(420)
})

test('tools/ci/drills.ts lists exactly the drills that exist', () => {
  const text = readFileSync(new URL('../../ops/drills/run.ts', import.meta.url), 'utf8')
  const names = [...text.matchAll(/^ {2}'?([a-z][\w-]*)'?: async \(\) =>/gm)].map(
    ([, name]) => name,
  )
  expect(new Set(names)).toEqual(new Set(Object.keys(DRILLS)))
})

test('the nightly and weekly workflows run the drills too long for a merge', () => {
  const drillsOf = (file: string) => {
    const text = readFileSync(new URL(`../../.github/workflows/${file}`, import.meta.url), 'utf8')
    return /drill: \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? []
  }
  expect(drillsOf('nightly.yml')).toEqual(['database-down', 'deploy', 'enquiry', 'migrate', 'fuzz'])
  expect(drillsOf('weekly.yml')).toEqual([
    'image',
    'compose',
    'install',
    'restore',
    'purge',
    'stranger',
    'keycloak-upgrade',
  ])
  const covered = [...drillsOf('nightly.yml'), ...drillsOf('weekly.yml')]
  const long = Object.entries(DRILLS).filter(([, { isLong }]) => isLong)
  expect(long.map(([name]) => name).filter((name) => !covered.includes(name))).toEqual([])
})
