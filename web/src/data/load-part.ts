import { findPart, type PagePart, type Parts } from '#base/site-data.ts'
import { readFile } from './client.ts'

/** A part of the site's data that not every document has. */
export const loadPart = async <P extends PagePart>(name: P): Promise<Parts[P]> =>
  findPart(name) ?? ((await readFile(`/${name}.json`)) as Parts[P])
