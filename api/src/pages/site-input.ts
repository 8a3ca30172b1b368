import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'
import { buildNotice } from '#privacy/notice/notice.ts'
import { newestOf, type NoticeVersion } from '#privacy/notice/versions.ts'
import { readBrand } from './brand-files.ts'
import type { SiteInput } from './renderer.ts'

/** Of an installed release, site.json is a link to the deployer's, which has the pictures beside it. */
export const readBrandOf = ({ brand }: SiteConfig, siteFile: string) =>
  readBrand(brand, dirname(realpathSync(siteFile)))

export const readSiteInput = (
  config: SiteConfig,
  { siteFile, versions }: { siteFile: string; versions: NoticeVersion[] },
): SiteInput => ({
  config,
  brand: readBrandOf(config, siteFile),
  notice: buildNotice(newestOf(versions), versions, config),
})
