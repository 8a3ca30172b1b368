import { askApi } from '#data/client.ts'
import { readFailure } from '#data/failure.ts'

export type FileLink = {
  id: string
  url: string
  /** Smaller copies of a picture; absent until the server has made them, and on older servers. */
  previews?: { small: string; large: string }
}

/** Links to the files of a record that the user may open, and to previews of pictures; each is valid for a minute. */
export async function loadFileLinks(record: string): Promise<FileLink[]> {
  const response = await askApi(`${record}/file-links`)
  if (!response.ok) throw new Error((await readFailure(response)).text)
  const { items } = (await response.json()) as { items: FileLink[] }
  return items
}
