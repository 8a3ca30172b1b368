import {
  buildAttachment,
  buildEmail,
  buildHtmlPart,
  buildMultipart,
  buildPart,
  concatBytes,
  encodeWord,
} from './build-email.ts'
import { PERSON, type CorpusEmail } from './expected.ts'

const VECTORS = `<html><head><meta http-equiv="refresh" content="0;url=https://evil.example/">
<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/a.css">
<style>@import url(https://evil.example/b.css); p { background: url(javascript:steal(1)) }</style>
<script>steal(2)</script></head><body onload="steal(3)">
<p onclick="steal(4)">Please pay the invoice.</p><img src=x onerror=steal(5)>
<a href="javascript:steal(6)">here</a> <a href="java&#10;script:steal(7)">or here</a>
<a href="data:text/html,<script>steal(8)</script>">or there</a>
<svg onload=steal(9)><script>steal(10)</script></svg><math><mi xlink:href="javascript:steal(11)"></mi></math>
<iframe srcdoc="<script>steal(12)</script>"></iframe><object data="javascript:steal(13)"></object>
<embed src="javascript:steal(14)"><form action="javascript:steal(15)"><input name="password">
<button formaction="javascript:steal(16)">Pay</button></form><div style="width:expression(steal(17))">
<scr<script>ipt>steal(18)</scr</script>ipt></div><p>Thank you.</p></body></html>`

const SURROGATE = '\ud83d'

export const HOSTILE: CorpusEmail[] = [
  {
    name: 'HTML alone that tries to run scripts in eighteen ways',
    raw: () => buildEmail({}, buildHtmlPart(VECTORS)),
    expected: {
      ...PERSON,
      words: ['Please pay the invoice.', 'Thank you.'],
      files: [
        {
          name: 'email.html',
          words: ['Please pay the invoice.', 'Thank you.'],
          absentWords: [
            '<script',
            '<iframe',
            '<object',
            '<embed',
            '<form',
            '<base',
            'http-equiv="refresh"',
            'onerror=',
            'onload=',
            'onclick=',
            'javascript:',
            'data:text/html',
          ],
        },
      ],
    },
  },
  {
    name: 'control characters, marks of direction and zero-width characters in every field',
    raw: () =>
      buildEmail(
        {
          from: `${encodeWord('utf-8', 'Erika\u202e\u0007 Muster\0')} <erika@client.example>`,
          subject: encodeWord('utf-8', 'The \u2066gate\u2069 is\u001b[31m stuck\u0085'),
        },
        buildMultipart('mixed', [
          buildPart(
            'The\u202e gate\u202c has \u0008been\u200b stuck.\u0000 \u001b[2JIt is\u200f red.\r\n',
          ),
          buildAttachment(encodeWord('utf-8', 'invoice\u202efdp\u0000.exe'), 'MZ'),
        ]),
      ),
    expected: {
      ...PERSON,
      fromName: /^Erika ?Muster$/,
      subject: /^The gate is ?(\[31m)? stuck$/,
      words: ['The gate has', 'stuck.', 'is red.'],
      files: [{ name: /^invoice.?fdp.?\.exe$/, size: 2 }],
      why: 'Zero-width spaces may stay; control characters and marks of direction may not.',
    },
  },
  {
    name: 'halves of surrogate pairs in UTF-16, in bytes like UTF-8 and in HTML',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('mixed', [
          buildPart(Buffer.from(`One ${SURROGATE} half.`, 'utf16le'), {
            type: 'text/plain; charset=utf-16le',
            encoding: 'base64',
          }),
          buildPart(concatBytes('Two ', Buffer.from('eda0bd', 'hex'), ' halves.')),
          buildMultipart('alternative', [
            buildHtmlPart('<p>Three &#xD83D; halves, &#0; and &#x202E;the end.</p>'),
          ]),
        ]),
      ),
    expected: {
      ...PERSON,
      words: ['One', 'half.', 'Two', 'halves.'],
      wordsAnywhere: ['the end.'],
      files: [{ name: 'email.html' }],
    },
  },
]
