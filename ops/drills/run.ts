/** `npm run drill -- NAME`: each drill is a file beside this one. Its last line is the verdict. */
const drills: Record<string, () => Promise<boolean>> = {
  'api-kill': async () => (await import('./api-kill.ts')).apiKill(),
  enquiry: async () => (await import('./enquiry.ts')).enquiry(),
  fuzz: async () => (await import('./fuzz.ts')).fuzz(),
  headers: async () => (await import('./headers.ts')).headers(),
  install: async () => (await import('./install.ts')).install(),
  image: async () => (await import('./image.ts')).image(),
}

const name = process.argv[2] ?? ''
const drill = Object.hasOwn(drills, name) ? drills[name] : undefined
if (!drill) console.error(`Usage: npm run drill -- ${Object.keys(drills).join(' | ')}`)
process.exitCode = (await drill?.()) ? 0 : 1
