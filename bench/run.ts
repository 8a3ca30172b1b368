/** `npm run bench -- NAME`: each bench is a file beside this one. */
const benches: Record<string, () => Promise<unknown>> = {
  buffers: () => import('./buffers.ts').then(() => import('./logs/measure.ts')),
  logs: () => import('./logs/measure.ts'),
  seed: () => import('./growth/seed-sizes.ts'),
  short: () => import('./side/short.ts'),
  server: () => import('./server.ts'),
  web: () => import('./web.ts'),
}

const name = process.argv[2] ?? ''
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
if (bench) await bench()
else {
  console.error(`Usage: npm run bench -- ${Object.keys(benches).join(' | ')}`)
  process.exitCode = 1
}
