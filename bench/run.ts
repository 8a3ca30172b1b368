/** `npm run bench -- NAME`; without a name, the full comparison with bare Fastify and the peers. */
const benches: Record<string, () => Promise<unknown>> = {
  attachments: () => import('./attachments/measure.ts'),
  buffers: () =>
    import('./buffers/measure.ts')
      .then(() => import('./logs/measure.ts'))
      .then(() => import('./attachments/measure.ts')),
  cpu: () => import('./compare/cpu.ts'),
  files: () => import('./files/measure.ts'),
  growth: () => import('./growth/measure.ts'),
  logs: () => import('./logs/measure.ts'),
  seed: () => import('./growth/seed-sizes.ts'),
  prepare: () => import('./full/prepare.ts'),
  short: () => import('./compare/short.ts'),
  server: () => import('./server.ts'),
  web: () => import('./web.ts'),
  whole: () => import('./full/full.ts'),
}

const name = process.argv[2] ?? 'whole'
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
if (bench) await bench()
else {
  console.error(`Usage: npm run bench -- ${Object.keys(benches).join(' | ')}`)
  process.exitCode = 1
}
