import { isSize, startSize, SIZES } from './sizes.ts'

/** `npm run bench -- seed 10m`: fills the cache beforehand; ten million take most of an hour. */
const names = process.argv.slice(3)
if (names.length === 0 || !names.every(isSize)) {
  console.error(`Usage: npm run bench -- seed ${Object.keys(SIZES).join(' | ')}`)
  process.exit(1)
}
for (const name of names) {
  const { directory, postgres } = await startSize(name)
  await postgres.stop()
  console.log(`${name}: ${directory}`)
}
