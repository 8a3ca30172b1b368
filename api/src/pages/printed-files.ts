import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PrintedInput } from './renderer.ts'

/** Beside the folders of the builds. */
export const PRINTED_FOLDER = 'printed'

export const PRINTED = {
  notice: (lastUpdated: string) => `privacy-notice-${lastUpdated}.pdf`,
  preview: 'og.png',
  icon: 'apple-touch-icon.png',
}

/** Where the notice's PDF and the images of this input are, once print.ts has made them. */
export const printedFolder = (directory: string, input: PrintedInput) =>
  join(directory, PRINTED_FOLDER, hashOf(input))

const hashOf = ({ config, brand, notice }: PrintedInput) =>
  createHash('sha256').update(JSON.stringify({ config, brand, notice })).digest('hex').slice(0, 16)

/** The printed files by the path they are served under; empty without them. */
export function findPrinted(directory: string, input: PrintedInput): Record<string, string> {
  const folder = printedFolder(directory, input)
  if (!existsSync(folder)) return {}
  return Object.fromEntries(readdirSync(folder).map((name) => [name, join(folder, name)]))
}

/** Keeps the newest besides this: a replica with the previous configuration may still copy it. */
export function storePrinted(directory: string, input: PrintedInput, unfinished: string) {
  const folder = printedFolder(directory, input)
  renameSync(unfinished, folder)
  const all = join(directory, PRINTED_FOLDER)
  const others = readdirSync(all)
    .map((name) => join(all, name))
    .filter((one) => one !== folder)
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const old of others.slice(1)) rmSync(old, { recursive: true, force: true })
}
