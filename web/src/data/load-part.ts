import { findPart, provideParts, type PagePart } from '#base/site-data.ts'
import { readFile } from './client.ts'

/** A part of the site's data that this document lacks, before the page that shows it is imported. */
export const loadPart = async (name: PagePart) =>
  findPart(name) ?? provideParts({ [name]: await readFile(`/${name}.json`) })
