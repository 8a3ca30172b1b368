import { statfs } from 'node:fs/promises'

/** Below this free share of the disk uploads are refused: a full one stops the database too. */
export const FREE_SHARE_MIN = 0.05

/** Free share of the disk that a folder is on. */
export async function freeShareOf(folder: string) {
  const { bavail, blocks } = await statfs(folder)
  return bavail / blocks
}
