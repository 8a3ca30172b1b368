import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modelPaths, readingPaths } from '../build/model-paths.ts'

/** Writes MODEL_PATHS and READING_PATHS of ops/nginx/gatehouse.conf as files into a folder. */
const [, , folder = '.'] = process.argv
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'model-paths'), modelPaths())
writeFileSync(join(folder, 'reading-paths'), readingPaths())
