import { readFileSync } from 'node:fs'

/** Preloaded into a replica: its clock is ahead by the milliseconds in the file CLOCK_FILE, which the drill writes. */
const REFRESH_MS = 100
const file = process.env['CLOCK_FILE'] ?? ''
const realNow = Date.now
let aheadMs = 0
const now = () => realNow() + aheadMs

function refresh() {
  aheadMs = Number(readFileSync(file, 'utf8'))
}

refresh()
setInterval(refresh, REFRESH_MS).unref()
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[]) =>
    Reflect.construct(target, args.length > 0 ? args : [now()]),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
