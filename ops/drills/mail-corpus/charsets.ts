import {
  buildEmail,
  buildMultipart,
  buildPart,
  concatBytes,
  encodeWord,
  toCrlf,
} from './build-email.ts'
import { encodeIso2022Jp, encodeText } from './encode-text.ts'
import { PERSON, type CorpusEmail } from './expected.ts'
import { buildReply, OUR_ANSWER, OUR_WORDS, quoteLines, REPLY } from './reply-text.ts'

const ADDRESS = 'desk+42.abcdefghijklmnop@desk.example'
const QUOTE = quoteLines(OUR_ANSWER)

export const CHARSETS: CorpusEmail[] = [
  {
    name: 'a reply from Gmail in Russian, in windows-1251 with its subject',
    raw: buildReply(
      buildPart(
        encodeText(
          'windows-1251',
          toCrlf(
            `Зелёная лампа горит — № 7.\n\nпн, 2 нояб. 2026 г. в 10:00, Gatehouse Desk <${ADDRESS}>:\n\n${QUOTE}\n`,
          ),
        ),
        { type: 'text/plain; charset="windows-1251"', encoding: 'base64' },
      ),
      {
        subject: `Re: ${encodeWord('windows-1251', encodeText('windows-1251', 'Ворота не работают'), 'Q')}`,
      },
    ),
    expected: {
      ...REPLY,
      subject: 'Re: Ворота не работают',
      words: ['Зелёная лампа горит — № 7.'],
      quotedWords: OUR_WORDS,
    },
  },
  {
    name: 'a reply from Gmail in Japanese, in ISO-2022-JP, each encoded word with its own escapes',
    raw: buildReply(
      buildPart(
        encodeIso2022Jp(
          toCrlf(
            `緑のランプが点きました。\n\n2026年11月2日(月) 10:00 Gatehouse Desk <${ADDRESS}>:\n\n${QUOTE}\n`,
          ),
        ),
        { type: 'text/plain; charset=ISO-2022-JP', encoding: '7bit' },
      ),
      {
        subject: ['ゲートが', '開かない'].map(encodeJapaneseWord).join('\r\n '),
      },
    ),
    expected: {
      ...REPLY,
      subject: 'ゲートが開かない',
      words: ['緑のランプが点きました。'],
      quotedWords: OUR_WORDS,
    },
  },
  {
    name: 'Shift_JIS with second bytes that are backslashes, and characters only Windows has',
    raw: () =>
      buildEmail(
        {},
        buildPart(encodeText('shift_jis', 'ソフトの機能を表示できません。①㈱ゲート'), {
          type: 'text/plain; charset=Shift_JIS',
        }),
      ),
    expected: { ...PERSON, words: ['ソフトの機能を表示できません。①㈱ゲート'] },
  },
  {
    name: 'Big5 with second bytes that are backslashes, in text and subject',
    raw: () =>
      buildEmail(
        { subject: encodeWord('big5', encodeText('big5', '成功許可')) },
        buildPart(encodeText('big5', '大門打不開,功能失效。'), {
          type: 'text/plain; charset="big5"',
          encoding: 'quoted-printable',
        }),
      ),
    expected: { ...PERSON, subject: '成功許可', words: ['大門打不開,功能失效。'] },
  },
  {
    name: 'GB18030 with a character of four bytes, the subject labelled gb2312',
    raw: () =>
      buildEmail(
        { subject: encodeWord('gb2312', encodeText('gb18030', '朱镕基的大门')) },
        buildPart(
          concatBytes(
            encodeText('gb18030', '大门卡住了:'),
            Buffer.from('95328236', 'hex'),
            encodeText('gb18030', ',请帮忙。'),
          ),
          { type: 'text/plain; charset=GB18030', encoding: 'base64' },
        ),
      ),
    expected: { ...PERSON, subject: '朱镕基的大门', words: ['大门卡住了:𠀀,请帮忙。'] },
  },
  {
    name: 'Korean labelled ks_c_5601-1987 with a syllable outside that standard',
    raw: () =>
      buildEmail(
        { subject: encodeWord('ks_c_5601-1987', encodeText('euc-kr', '문이 안 열려요')) },
        buildPart(
          concatBytes(
            Buffer.from('8c63', 'hex'),
            encodeText('euc-kr', '방각하 사무실 문이 멈췄습니다.'),
          ),
          {
            type: 'text/plain; charset="ks_c_5601-1987"',
            encoding: 'base64',
          },
        ),
      ),
    expected: {
      ...PERSON,
      subject: '문이 안 열려요',
      words: ['방각하 사무실 문이 멈췄습니다.'],
      why: 'The first syllable is only in the code page of Windows; not every decoder has it.',
    },
  },
  {
    name: 'Hebrew in windows-1255 and Arabic in windows-1256 in two parts of one email',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('mixed', [
          buildPart(encodeText('windows-1255', 'השער תקוע מאז הבוקר'), {
            type: 'text/plain; charset=windows-1255',
          }),
          buildPart(encodeText('windows-1256', 'البوابة عالقة منذ الصباح'), {
            type: 'text/plain; charset=windows-1256',
            encoding: 'quoted-printable',
          }),
        ]),
      ),
    expected: { ...PERSON, words: ['השער תקוע מאז הבוקר', 'البوابة عالقة منذ الصباح'] },
  },
  {
    name: 'Greek HTML in windows-1253 whose meta element says UTF-8',
    raw: () =>
      buildEmail(
        {},
        buildPart(
          encodeText(
            'windows-1253',
            '<html><head><meta charset="utf-8"></head><body><p>Η πύλη έχει κολλήσει</p></body></html>',
          ),
          { type: 'text/html; charset=windows-1253', encoding: 'quoted-printable' },
        ),
      ),
    expected: {
      ...PERSON,
      words: ['Η πύλη έχει κολλήσει'],
      files: [{ name: 'email.html' }],
      why: 'The header of the part counts before the meta element.',
    },
  },
  {
    name: 'UTF-16 with a byte order mark, in base64',
    raw: () =>
      buildEmail(
        {},
        buildPart(Buffer.from('\ufeffDas Tor klemmt – größer als 3 m 🚪', 'utf16le'), {
          type: 'text/plain; charset=utf-16',
          encoding: 'base64',
        }),
      ),
    expected: { ...PERSON, words: ['Das Tor klemmt – größer als 3 m 🚪'] },
  },
  {
    name: 'text of windows-1252 labelled us-ascii',
    raw: () =>
      buildEmail(
        {},
        buildPart(encodeText('windows-1252', 'Das Tor klemmt. Grüße aus Köln, bis morgen.'), {
          type: 'text/plain; charset=us-ascii',
        }),
      ),
    expected: {
      ...PERSON,
      words: ['Das Tor klemmt.', 'bis morgen.'],
      why: 'Invalid UTF-8 as well: the umlauts may be lost, nothing else.',
    },
  },
  {
    name: 'UTF-8 with a byte order mark and an untidy label',
    raw: () =>
      buildEmail(
        {},
        buildPart('\ufeffDas Tor klemmt größtenteils.', { type: `text/plain; charset="UTF8;"` }),
      ),
    expected: { ...PERSON, words: ['Das Tor klemmt größtenteils.'] },
  },
]

function encodeJapaneseWord(text: string) {
  return encodeWord('ISO-2022-JP', encodeIso2022Jp(text))
}
