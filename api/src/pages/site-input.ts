import { dirname } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'
import { buildNotice } from '#privacy/notice/notice.ts'
import { newestOf, type NoticeVersion } from '#privacy/notice/versions.ts'
import { readBrand } from './brand-files.ts'
import type { SiteInput } from './renderer.ts'

export const readSiteInput = (
  config: SiteConfig,
  { siteFile, versions }: { siteFile: string; versions: NoticeVersion[] },
): SiteInput => ({
  config,
  brand: readBrand(config.brand, dirname(siteFile)),
  notice: buildNotice(newestOf(versions), versions, config),
})
