import { isPicture } from './pictures.ts'

const BYTES_MAX = 150

/** Control characters, invisible ones, those that change the direction of writing, and line separators. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu

/** A name as others may see it: no path, nothing invisible, no dot at either end, at most 150 bytes with its extension. */
export function cleanName(sent: string): string {
  const name = sent
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\\/]/g, '_')
    .replaceAll(HIDDEN, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[ .]+|[ .]+$/g, '')
  const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? ''
  const stem = cutTo(name.slice(0, name.length - extension.length), BYTES_MAX - extension.length)
  return `${stem}${extension}` || 'file'
}

/** By whole characters. */
function cutTo(text: string, bytes: number) {
  let [cut, size] = ['', 0]
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > bytes) break
    cut += character
  }
  return cut.trimEnd()
}

/** Content-Type and Content-Disposition of a download: what a browser could run is a download of unknown bytes. */
export function downloadHeaders({ name, type }: { name: string; type: string }) {
  const isShown = isPicture(type)
  const ascii = name.replaceAll(/[^\u0020-\u007E]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'content-type': isShown ? type : 'application/octet-stream',
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`,
  }
}
