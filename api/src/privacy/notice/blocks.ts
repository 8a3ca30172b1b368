import type { NoticeBlock } from '@gatehouse/model'

export const text = (words: string): NoticeBlock => ({ kind: 'text', text: words })
export const list = (...items: string[]): NoticeBlock => ({ kind: 'list', items })
export const table = (caption: string, columns: string[], rows: string[][]): NoticeBlock => ({
  kind: 'table',
  caption,
  columns,
  rows,
})
