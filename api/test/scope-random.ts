import fc, { type Arbitrary } from 'fast-check'
import type { Row } from './scope-oracle.ts'

/** Draws the next random value, reproducible by fast-check's seed. */
export type Draw = <T, A extends unknown[]>(from: (...given: A) => Arbitrary<T>, ...given: A) => T

export const below = (count: number) => fc.nat({ max: count - 1 })
export const oneOf = <T>(draw: Draw, list: readonly T[]): T => list[draw(below, list.length)] as T
export const happens = (draw: Draw, percent: number) => draw(below, 100) < percent

export const drawTarget = (draw: Draw, targets: Row[]) =>
  targets.length === 0 ? null : oneOf(draw, targets).id
