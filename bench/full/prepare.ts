import { startPostgres } from '../../tools/stack/postgres.ts'
import { FAST } from '../growth/sizes.ts'
import { prepareDirectus } from '../peers/directus.ts'
import { installPeers } from '../peers/install.ts'
import { preparePocketBase } from '../peers/pocketbase.ts'
import { TICKETS } from '../../ops/drills/kit/million-seed.ts'
import { arePeersFilled, dataDirectory, setPeersFilled } from './prepared-data.ts'
import { fill } from '../compare/bench-environment.ts'

/** `npm run bench -- prepare`: seeds a million tickets for us and both peers, which are installed into .tools. */
installPeers()
const directory = dataDirectory()
await fill({ directory, tickets: TICKETS })
if (!arePeersFilled(directory)) {
  const postgres = await startPostgres({ directory, settings: FAST })
  try {
    await prepareDirectus(postgres)
    await preparePocketBase(postgres, directory)
    setPeersFilled(directory)
  } finally {
    await postgres.stop()
  }
}
console.log('prepared')
