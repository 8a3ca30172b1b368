import { problemMessages } from '@gatehouse/model'
import type { FastifyInstance } from 'fastify'
import { badRequest } from '#platform/errors.ts'

const BODY_DEPTH_MAX = 8
const SURROGATE = /\\u[dD][89a-fA-F]/

/** JSON bodies only, unless a route adds a parser. */
export function parseBodies(app: FastifyInstance) {
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    if (nesting(text) > BODY_DEPTH_MAX)
      return done(badRequest(problemMessages.tooDeep(BODY_DEPTH_MAX)))
    return parseJson(_request, text, (error, value) =>
      done(error, error || !SURROGATE.test(text) ? value : JSON.parse(text, toWellFormed)),
    )
  })
}

/** Lone surrogates, as from a cut emoji: text columns replace them, JSON columns refuse them. */
const toWellFormed = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value

/** How deep JSON is nested, without building it. */
function nesting(text: string) {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isText && character === '\\') at++
    else if (character === '"') isText = !isText
    else if (!isText && (character === '{' || character === '['))
      deepest = Math.max(deepest, ++depth)
    else if (!isText && (character === '}' || character === ']')) depth--
  }
  return deepest
}
