import { existsSync } from 'node:fs'
import type { SiteCode } from '@gatehouse/model'
import type { AnyBehaviour } from '#engine/compile-behaviours.ts'
import { SetupError } from '#platform/errors.ts'
import { SITE_FOLDER } from '#platform/paths.ts'

export type Site = SiteCode<AnyBehaviour>

/** Additions of the current site. api/build.ts replaces this module with the site's own files. */
export const site = await readSite(new URL('index.ts', SITE_FOLDER))
export const ownMailTexts = await readTexts(new URL('messages/mail-texts.ts', SITE_FOLDER))

async function readSite(index: URL): Promise<Site> {
  if (!existsSync(index)) return {}
  const { site } = (await import(index.href)) as { site?: Site }
  if (!site) throw new SetupError(`${index.pathname} exports no \`site\``)
  return site
}

async function readTexts(file: URL): Promise<object> {
  if (!existsSync(file)) return {}
  const { default: texts } = (await import(file.href)) as { default?: object }
  if (!texts) throw new SetupError(`${file.pathname} has no default export`)
  return texts
}
