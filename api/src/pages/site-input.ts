import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Model, SiteConfig } from '@gatehouse/model'
import { buildNotice } from '#privacy/notice/notice.ts'
import { newestOf, type NoticeVersion } from '#privacy/notice/versions.ts'
import { readBrand } from './brand-files.ts'
import { publicDefinitions } from './public-definitions.ts'
import type { PrintedInput, SiteInput } from './renderer.ts'

/** Of an installed release, site.json is a link to the deployer's, which has the pictures beside it. */
export const readBrandOf = ({ brand }: SiteConfig, siteFile: string) =>
  readBrand(brand, dirname(realpathSync(siteFile)))

type Sources = { siteFile: string; versions: NoticeVersion[] }

export const readSiteInput = (
  config: SiteConfig,
  { models, ...sources }: Sources & { models: readonly Model[] },
): SiteInput => ({
  ...readPrintedInput(config, sources),
  definitions: publicDefinitions(models, config.site),
})

export const readPrintedInput = (
  config: SiteConfig,
  { siteFile, versions }: Sources,
): PrintedInput => ({
  config,
  brand: readBrandOf(config, siteFile),
  notice: buildNotice(newestOf(versions), versions, config),
})
