import { fileTypeFromTokenizer } from 'file-type'
import { fromFile } from 'strtok3'

const UNKNOWN_TYPE = 'application/octet-stream'

/** Media type of a file by its content. Not by `fileTypeFromFile`, which imports a package by name, and a release has none. */
export async function contentTypeOf(path: string) {
  const tokenizer = await fromFile(path)
  try {
    return (await fileTypeFromTokenizer(tokenizer))?.mime ?? UNKNOWN_TYPE
  } finally {
    await tokenizer.close()
  }
}
