import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECKOUT } from '../../tools/stack/settings.ts'
import { shippedMemory } from './bench-environment.ts'

test('the systemd service, the image and the benchmark have the same memory settings', () => {
  const image = readFileSync(join(CHECKOUT, 'Containerfile'), 'utf8')
  const told = Object.entries(shippedMemory()).map(([name, value]) => `${name}=${value}`)
  expect(told).toHaveLength(2)
  expect(image).toContain(`ENV ${told.join(' ')}\n`)
})
