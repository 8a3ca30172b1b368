import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { NOTICE_SECTIONS, type Notice, type NoticeSectionId } from '@gatehouse/model'

/** The notice as the web build needs it, into the file that is named. */
const [, , file = ''] = process.argv
const notice: Notice = {
  version: '1.0',
  lastUpdated: '2025-06-15',
  manifestHash: '',
  sections: Object.entries(NOTICE_SECTIONS).map(([id, title]) => ({
    id: id as NoticeSectionId,
    title,
    blocks: [],
  })),
}
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, JSON.stringify(notice))
