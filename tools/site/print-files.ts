import { PRINTED } from '../../api/src/pages/printed-files.ts'
import { withBrowser, withServer } from './print-browser.ts'

const A4_INCHES = { paperWidth: 8.27, paperHeight: 11.69 }
const PREVIEW = { width: 1200, height: 630 }
const ICON = { width: 180, height: 180 }

type Send = Parameters<Parameters<typeof withBrowser>[0]>[0]
type Until = Parameters<Parameters<typeof withBrowser>[0]>[1]

export type Printed = {
  /** Folder of the client build. */
  build: string
  /** Rendered pages and files by path. */
  pages: Map<string, string>
  preview: string
  lastUpdated: string
  /** Colour behind the home-screen icon. */
  band: string
}

/** Prints the notice as PDF and draws the images for previews and home screens; returns them by name. */
export function printFiles({ build, pages, preview, lastUpdated, band }: Printed) {
  const extra = new Map([
    ...pages,
    ['preview.html', preview],
    ['icon.html', iconPage(pages.get('icon.svg') ?? '', band)],
  ])
  return withServer(build, extra, (address) =>
    withBrowser(async (send, until) => {
      await send('Page.enable')
      // Scripts off: no animation, no cookie dialog.
      await send('Emulation.setScriptExecutionDisabled', { value: true })
      await open(`${address}/privacy`, send, until)
      return {
        [PRINTED.notice(lastUpdated)]: dated(await pdf(send), lastUpdated),
        [PRINTED.preview]: await picture(`${address}/preview.html`, PREVIEW, send, until),
        [PRINTED.icon]: await picture(`${address}/icon.html`, ICON, send, until),
      }
    }),
  )
}

async function open(url: string, send: Send, until: Until) {
  const loaded = until('Page.loadEventFired')
  await send('Page.navigate', { url })
  await loaded
}

async function pdf(send: Send) {
  const { data } = await send('Page.printToPDF', {
    ...A4_INCHES,
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: true,
    generateDocumentOutline: true,
  })
  return Buffer.from(String(data), 'base64')
}

/** Sets the PDF's dates to the notice's, so that equal notices give equal files. Same length, so that offsets stay valid. */
function dated(bytes: Buffer, lastUpdated: string) {
  const date = `D:${lastUpdated.replaceAll('-', '')}000000`
  return Buffer.from(
    bytes.toString('latin1').replaceAll(/(\/(?:CreationDate|ModDate) \()D:\d{14}/g, `$1${date}`),
    'latin1',
  )
}

async function picture(
  url: string,
  size: { width: number; height: number },
  send: Send,
  until: Until,
) {
  await send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false })
  await open(url, send, until)
  const { data } = await send('Page.captureScreenshot', { format: 'png' })
  return Buffer.from(String(data), 'base64')
}

/** A home-screen icon needs an opaque background. */
const iconPage = (icon: string, band: string) => `<!doctype html>
<style>body { margin: 0; background: ${band} } svg { display: block; box-sizing: border-box; width: 180px; height: 180px; padding: 24px }</style>
${icon}`
