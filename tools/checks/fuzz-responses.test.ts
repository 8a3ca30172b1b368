import { expect, test } from 'vitest'
import { leaksOf } from '../../ops/drills/fuzz-responses.ts'

const leaksIn = (text: string, status = 422) =>
  leaksOf({
    log: {
      entries: [
        { request: { method: 'POST', url: '/x' }, response: { status, content: { text } } },
      ],
    },
  })

const FORM = `<!doctype html><html lang="en"><body><main vt-update="none"><p>Choose where we answer.</p>
  <p>Your request wasn’t sent. <!-- -->&quot;more&quot; can’t be set.</p></main>
  <form method="post"><label for="kind">Request</label>
  <select class="form-select" id="kind" name="kind"><option value="access">A copy of my data from your records</option></select>
  <p>We set a date and update you.</p></form></body></html>`

test('the fuzz drill’s leak check ignores a form’s <select>, on one line or on several', () => {
  expect(leaksIn(FORM)).toEqual([])
  expect(leaksIn(FORM.replaceAll(/\n */g, ''))).toEqual([])
  expect(leaksIn(FORM.replaceAll('select', 'SELECT'))).toEqual([])
})

test.each([
  ['text of a page', FORM.replace('We set a date', 'select id from tickets where true')],
  ['an attribute', FORM.replace('method="post"', 'data-error="update tickets set number = 1"')],
  ['a comment', FORM.replace('<p>', '<!-- delete from tickets where id = 1 -->')],
  ['text in a select', FORM.replace('A copy', 'insert into tickets values (1); A copy')],
  ['a stack trace', FORM.replace('We set', 'at run (/app/api/src/x.ts:1:2) We set')],
  ['plain text', 'select id from tickets'],
  ['a problem', JSON.stringify({ detail: 'select id from tickets' })],
])('the fuzz drill’s leak check finds SQL and stack traces in %s', (_where, text) => {
  expect(leaksIn(text)).toHaveLength(1)
})

test('the fuzz drill’s leak check ignores input quoted in a problem, record values and successful responses', () => {
  expect(leaksIn(JSON.stringify({ detail: 'Unknown field "select a from b".' }))).toEqual([])
  expect(leaksIn(JSON.stringify({ current: { body: 'select a from b' } }))).toEqual([])
  expect(leaksIn('select id from tickets', 200)).toEqual([])
})
