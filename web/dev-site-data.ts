import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { SiteData } from './src/base/site-data.ts'
import { drawBrand } from './src/site-brand.ts'
import { partsOf } from './src/site-parts.ts'
import { readSiteInput, siteFolder } from './site-input.ts'

/** The site's folder is read anew for these alone: a page requests hundreds of modules. */
const BRAND_FILE = /^\/(icon\.svg$|brand\/)/

/** In development the page is Vite's: adds the site's data as a rendered document has it, and reloads when site.json changes. */
export const siteData = (icons: SiteData['icons']): Plugin => ({
  name: 'site-data',
  apply: 'serve',
  configureServer: ({ middlewares, watcher, ws }) => {
    const config = join(siteFolder, 'site.json')
    watcher.add(config)
    watcher.on('change', (file) => {
      if (file === config) ws.send({ type: 'full-reload' })
    })
    middlewares.use((request, response, next) => {
      const address = request.url ?? ''
      if (!BRAND_FILE.test(address)) return next()
      const text = drawBrand(readSiteInput().brand).files[address]
      if (text === undefined) return next()
      response.setHeader('content-type', address.endsWith('.css') ? 'text/css' : 'image/svg+xml')
      response.end(text)
    })
  },
  transformIndexHtml: (html) => {
    const input = readSiteInput()
    const { logo, styles } = drawBrand(input.brand)
    const parts = Object.entries(partsOf(input, { logo, icons }))
    const tags = parts.map(([name, value]) => ({
      tag: 'script',
      attrs: { type: 'application/json', id: name },
      children: JSON.stringify(value).replaceAll('<', String.raw`\u003c`),
      injectTo: 'head-prepend' as const,
    }))
    return {
      html: html.replace('<html lang="en">', `<html lang="${input.language}">`),
      tags: [
        ...tags,
        ...(styles
          ? [
              {
                tag: 'link',
                attrs: { rel: 'stylesheet', href: styles },
                injectTo: 'head' as const,
              },
            ]
          : []),
      ],
    }
  },
})
