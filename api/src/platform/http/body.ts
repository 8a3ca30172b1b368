import { problemMessages } from '@gatehouse/model'
import type { FastifyInstance } from 'fastify'
import { badRequest } from '#platform/errors.ts'

const BODY_DEPTH_MAX = 8
const SURROGATE = /\\u[dD][89a-fA-F]/

/** Bodies are JSON, and nothing else unless a route says so. */
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

/** Half of a character, as a cut-off emoji leaves it: text columns replace it, JSON columns refuse it. */
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
