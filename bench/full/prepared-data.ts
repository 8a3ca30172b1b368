import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDirectory } from '../../ops/drills/kit/million-cache.ts'

/** A separate database of a million tickets, because the benchmark writes. */
export const dataDirectory = () => cacheDirectory('bench/compare')

const FILLED = 'peers'
export const arePeersFilled = (directory: string) => existsSync(join(directory, FILLED))
export const setPeersFilled = (directory: string) => writeFileSync(join(directory, FILLED), '')
