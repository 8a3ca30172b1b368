import { fileURLToPath } from 'node:url'
import { connectDb } from '../../api/src/platform/db.ts'
import { SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import { removeSamples } from './remove.ts'
import { writeSamples } from './write.ts'
import { readSettings } from '../stack/settings.ts'

/** Adds the sample data to the stack's database, or to DATABASE_URL; `--remove` removes it. */
const url = process.env['DATABASE_URL'] ?? readSettings().databaseUrl('gatehouse_app')
const site = readConfig(fileURLToPath(new URL('site.json', SITE_FOLDER))).site
const db = connectDb(url, { max: 1 })
const { host, pathname } = new URL(url)
console.log(`Database ${host}${pathname}`)
try {
  if (process.argv.includes('--remove')) await remove()
  else console.log(`${await writeSamples({ db, site })} sample records added.`)
} finally {
  await db.close()
}

async function remove() {
  const { removed, kept } = await removeSamples(db)
  console.log(`${removed} sample records removed.`)
  if (kept > 0) console.log(`${kept} sample records kept: other records depend on them.`)
}
