import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addSite, copyWorkspace } from '../../tools/build/workspace.ts'
import { initialise } from './compose-init.ts'
import type { Deployed } from './compose-requests.ts'
import { externalClient } from './kit/http-clients.ts'
import { seconds, type Result } from './kit/results.ts'

const PORT = 8543
const OTHER_NAME = 'Quarry Lane Systems'
const OWN_NAME = 'Copperfield IT'

/** Beside the first installation: a second one from the same images, which then gets code of its own. */
export async function otherSites({ docker, deploy, otherAnswers }: Deployed): Promise<Result[]> {
  const deployment = deploy('other')
  const host = otherAnswers['SITE_HOST'] ?? ''
  const ports = `COMPOSE_PROJECT_NAME=other\nHTTP_PORT=8580\nHTTPS_PORT=${PORT}\n`
  writeFileSync(join(deployment.folder, '.env'), ports)
  const certificate = readFileSync(join(deployment.folder, 'tls/certificate.pem'), 'utf8')
  const visit = externalClient({ port: PORT, certificate })
  try {
    initialise(deployment, { ...otherAnswers, SITE_NAME: OTHER_NAME })
    deployment.must('up')
    const page = await visit(`https://${host}/`)
    const before = await visit(`https://${host}/api/invoices`)
    const images = docker
      .docker('images', '--format', '{{.Repository}}:{{.Tag}}')
      .split('\n').length
    addCode(deployment.folder)
    const begun = Date.now()
    deployment.must('up')
    const took = seconds(begun)
    const own = await visit(`https://${host}/`)
    // Without a token: 401 if the model exists, otherwise 404.
    const model = await visit(`https://${host}/api/invoices`)
    const derived =
      docker.docker('images', '--format', '{{.Repository}}:{{.Tag}}').split('\n').length - images
    return [
      {
        title: 'a second site from the same images',
        isRight: page.body.includes(OTHER_NAME) && before.status === 404,
        figure: `${page.status}, ${OTHER_NAME}`,
      },
      {
        title: 'a site with code, built offline',
        isRight: own.body.includes(OWN_NAME) && model.status === 401,
        figure: `${derived} images in ${took} s, its model ${model.status}`,
      },
    ]
  } finally {
    deployment.remove()
  }
}

/** The site of the drill `upgrade`, with its migrations. */
function addCode(folder: string) {
  const checkout = copyWorkspace()
  try {
    addSite(checkout, OWN_NAME)
    const config = JSON.parse(readFileSync(join(folder, 'site/site.json'), 'utf8'))
    rmSync(join(checkout, 'site/notice'), { recursive: true, force: true })
    cpSync(join(checkout, 'site'), join(folder, 'site'), { recursive: true })
    config.site.name = OWN_NAME
    writeFileSync(join(folder, 'site/site.json'), JSON.stringify(config, null, 2))
  } finally {
    rmSync(checkout, { recursive: true, force: true })
  }
}
