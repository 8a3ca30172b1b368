import { describe, expect, test } from 'vitest'
import { splitNewText } from './new-text.ts'

const OURS = [
  'Gatehouse Desk has answered your request #42, Door:',
  '',
  'Please restart the controller and tell us the colour of the lamp.',
  '',
  'You can read all of it and answer here:',
  'https://desk.example/requests/42',
  '',
  'Gatehouse Ltd',
  '1 Main Street, Dublin',
]
const quoted = OURS.map((line) => (line ? `> ${line}` : '>')).join('\n')
const plain = OURS.join('\n')
const NEW = 'The lamp is green now.\n\nThanks\nErika'
const on: Record<string, string> = {
  'gmail en': 'On Mon, Nov 2, 2026 at 10:00 AM Desk <desk+abc@desk.example> wrote:',
  'gmail en wrapped':
    'On Mon, Nov 2, 2026 at 10:00 AM Gatehouse Desk <\ndesk+abcdefghijklmnop@desk.example> wrote:',
  'gmail de': 'Am Mo., 2. Nov. 2026 um 10:00 Uhr schrieb Desk <desk+abc@desk.example>:',
  'gmail fr': 'Le lun. 2 nov. 2026 à 10:00, Desk <desk+abc@desk.example> a écrit :',
  'gmail es': 'El lun, 2 nov 2026 a las 10:00, Desk (<desk+abc@desk.example>) escribió:',
  'gmail it': 'Il giorno lun 2 nov 2026 alle ore 10:00 Desk <desk+abc@desk.example> ha scritto:',
  'gmail nl': 'Op ma 2 nov 2026 om 10:00 schreef Desk <desk+abc@desk.example>:',
  'gmail pl': 'pon., 2 lis 2026 o 10:00 Desk <desk+abc@desk.example> napisał(a):',
  'gmail pt': 'Em seg., 2 de nov. de 2026 às 10:00, Desk <desk+abc@desk.example> escreveu:',
  'gmail sv': 'Den mån 2 nov. 2026 kl 10:00 skrev Desk <desk+abc@desk.example>:',
  'gmail da': 'Den man. 2. nov. 2026 kl. 10.00 skrev Desk <desk+abc@desk.example>:',
  'gmail cs': 'po 2. 11. 2026 v 10:00 odesílatel Desk <desk+abc@desk.example> napsal:',
  'gmail ru': 'пн, 2 нояб. 2026 г. в 10:00, Desk <desk+abc@desk.example>:',
  'gmail ja': '2026年11月2日(月) 10:00 Desk <desk+abc@desk.example>:',
  'apple en': 'On 2 Nov 2026, at 10:00, Desk <desk+abc@desk.example> wrote:',
  'apple de': 'Am 02.11.2026 um 10:00 schrieb Desk <desk+abc@desk.example>:',
  'thunderbird en': 'On 02/11/2026 10:00, Desk wrote:',
  'thunderbird de': 'Am 02.11.26 um 10:00 schrieb Desk:',
  'thunderbird fr': 'Le 02/11/2026 à 10:00, Desk a écrit :',
  'proton en': 'On Monday, November 2nd, 2026 at 10:00 AM, Desk <desk+abc@desk.example> wrote:',
}
const outlook: Record<string, string> = {
  'outlook en':
    'From: Desk <desk+abc@desk.example>\nSent: Monday, November 2, 2026 10:00 AM\nTo: Erika Muster <erika@client.example>\nSubject: An answer to your request #42',
  'outlook line en':
    '________________________________\nFrom: Desk <desk+abc@desk.example>\nSent: Monday, November 2, 2026 10:00 AM\nTo: Erika <erika@client.example>\nSubject: An answer to your request #42',
  'outlook original en':
    '-----Original Message-----\nFrom: Desk <desk+abc@desk.example>\nSent: Monday, November 2, 2026 10:00 AM\nTo: Erika <erika@client.example>\nSubject: An answer',
  'outlook de':
    'Von: Desk <desk+abc@desk.example>\nGesendet: Montag, 2. November 2026 10:00\nAn: Erika Muster <erika@client.example>\nBetreff: An answer to your request #42',
  'outlook original de':
    '-----Ursprüngliche Nachricht-----\nVon: Desk <desk+abc@desk.example>\nGesendet: Montag, 2. November 2026 10:00\nAn: Erika <erika@client.example>\nBetreff: An answer',
  'outlook fr':
    'De : Desk <desk+abc@desk.example>\nEnvoyé : lundi 2 novembre 2026 10:00\nÀ : Erika <erika@client.example>\nObjet : An answer',
  'outlook es':
    'De: Desk <desk+abc@desk.example>\nEnviado: lunes, 2 de noviembre de 2026 10:00\nPara: Erika <erika@client.example>\nAsunto: An answer',
  'outlook it':
    'Da: Desk <desk+abc@desk.example>\nInviato: lunedì 2 novembre 2026 10:00\nA: Erika <erika@client.example>\nOggetto: An answer',
  'outlook nl':
    'Van: Desk <desk+abc@desk.example>\nVerzonden: maandag 2 november 2026 10:00\nAan: Erika <erika@client.example>\nOnderwerp: An answer',
  'outlook pl':
    'Od: Desk <desk+abc@desk.example>\nWysłano: poniedziałek, 2 listopada 2026 10:00\nDo: Erika <erika@client.example>\nTemat: An answer',
  'outlook ios':
    'Get Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: Desk <desk+abc@desk.example>\nSent: Monday, November 2, 2026 10:00:00 AM\nTo: Erika <erika@client.example>\nSubject: An answer',
}
type Reply = { name: string; raw: string; keep: string; drop: string[] }
const CUT = ['Please restart the controller', 'https://desk.example/requests/42']
const replies: Reply[] = [
  ...Object.entries(on).map(([name, line]) => ({
    name,
    raw: `${NEW}\n\n${line}\n\n${quoted}\n`,
    keep: NEW,
    drop: CUT,
  })),
  ...Object.entries(outlook).map(([name, line]) => ({
    name,
    raw: `${NEW}\n\n${line}\n\n${plain}\n`,
    keep: NEW,
    drop: CUT,
  })),
  {
    name: 'interleaved',
    raw: `Hello,\n\n> Please restart the controller\n\nDone.\n\n> and tell us the colour of the lamp.\n\nGreen.\n`,
    keep: 'Done.|Green.',
    drop: [],
  },
  {
    name: 'below the quote',
    raw: `On 02/11/2026 10:00, Desk wrote:\n${quoted}\n\n${NEW}\n`,
    keep: NEW,
    drop: [],
  },
  { name: 'nothing quoted', raw: NEW, keep: NEW, drop: [] },
  {
    name: 'says "wrote:" itself',
    raw: `On Monday the operator wrote:\nthe lamp is red\n\nWhat now?\n`,
    keep: 'the lamp is red|What now?',
    drop: [],
  },
  {
    name: 'says "From:" itself',
    raw: `Config:\nFrom: 10.0.0.1\nTo: 10.0.0.9\n\nIs that right?\n`,
    keep: 'From: 10.0.0.1|Is that right?',
    drop: [],
  },
  {
    name: 'dashes in the text',
    raw: `Log:\n-----\nerror 5\n-----\nWhat now?\n`,
    keep: 'error 5|What now?',
    drop: [],
  },
  {
    name: 'shell prompt in the text',
    raw: `I ran:\n> show version\n> show log\nand it says OK\n`,
    keep: 'show version|and it says OK',
    drop: [],
  },
  { name: 'signature', raw: `${NEW}\n\n-- \nErika Muster\nClient GmbH\n`, keep: NEW, drop: [] },
  {
    name: 'sent from phone',
    raw: `${NEW}\n\nSent from my iPhone\n\n> On 2 Nov 2026, at 10:00, Desk <desk+abc@desk.example> wrote:\n>\n${quoted}\n`,
    keep: NEW,
    drop: CUT,
  },
  {
    name: 'forward',
    raw: `See below, it is their fault.\n\n---------- Forwarded message ---------\nFrom: Vendor <v@vendor.example>\nDate: Mon, Nov 2, 2026 at 9:00 AM\nSubject: RMA\nTo: <erika@client.example>\n\nThe RMA number is 77.\n`,
    keep: 'See below|The RMA number is 77.',
    drop: [],
  },
]

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

describe('replies of mail programs', () => {
  test('all 41 are here', () => {
    expect(replies).toHaveLength(41)
  })

  test.each(replies)('no word of the reply “$name” is lost', ({ raw }) => {
    const { text, quoted } = splitNewText(raw)
    const words = new Set(oneLine(`${text} ${quoted}`).split(' '))
    expect(
      oneLine(raw)
        .split(' ')
        .filter((word) => !words.has(word)),
    ).toEqual([])
  })

  test.each(replies)(
    'what is new in the reply “$name” is shown, and the quote is folded',
    ({ raw, keep, drop }) => {
      const text = oneLine(splitNewText(raw).text)
      // A signature of one or two lines may be folded.
      const shown = keep.split('|').map((part) => oneLine(part).replace(/ Thanks Erika$/, ''))
      expect(shown.filter((part) => !text.includes(part))).toEqual([])
      expect(drop.filter((part) => text.includes(part))).toEqual([])
    },
  )
})

describe('a text that is quoted at its end', () => {
  test('`quoted` has the quote alone', () => {
    expect(
      splitNewText('Yes.\n\nOn Mon, Nov 2, 2026 at 10:00 AM Desk <a@b.example> wrote:\n> Is it?'),
    ).toEqual({
      text: 'Yes.',
      quoted: 'On Mon, Nov 2, 2026 at 10:00 AM Desk <a@b.example> wrote:\n> Is it?',
      isCut: false,
    })
  })
})

describe('introductions in languages that the parser does not know', () => {
  test.each([
    ['Polish', 'pon., 2 lis 2026 o 10:00 Desk <a@b.example> napisał(a):'],
    ['Czech', 'po 2. 11. 2026 v 10:00 odesílatel Desk <a@b.example> napsal:'],
    ['Czech, wrapped', 'po 2. 11. 2026 v 10:00 odesílatel Desk <a@b.example>\nnapsal:'],
  ])('an introduction in %s is folded with its quote', (_, introduction) => {
    const { text, quoted } = splitNewText(`Yes.\n\n${introduction}\n\n> Is it?\n>\n> Bye`)
    expect(text).toBe('Yes.')
    expect(quoted).toContain(introduction)
  })

  test('an answer below such a quote is shown', () => {
    const reply = '2. 11. 2026 Desk <a@b.example> napsal:\n\n> Is it?\n\nYes.'
    expect(splitNewText(reply).text).toContain('Yes.')
  })
})

describe('quoted lines within a paragraph', () => {
  test('below a line with a date they are a quote', () => {
    const { text } = splitNewText('On 2 Nov Desk wrote:\n> Is it?\nYes.')
    expect(text).not.toContain('Is it?')
  })

  test('several of them are quotes with answers', () => {
    const { text } = splitNewText('Hi,\n> One?\nYes.\n> Two?\nNo.')
    expect(text).not.toContain('Two?')
  })
})

describe('a text that slows the parser', () => {
  const LIMIT_MS = 5_000
  const fill = (unit: string) => unit.repeat(Math.ceil(100_000 / unit.length))

  test.each([
    ['line ends', '\n'],
    ['lines of spaces', ' \t\n'],
    ['lines of wide spaces', '\u3000\n'],
    ['introductions', 'On Mon, Nov 2, 2026 at 10:00 AM Desk <a@b.example> wrote:\n\n'],
    ['introductions in one line', 'On a b wrote '],
    ['years', '20'],
    ['years with a sender', '2000from<'],
    ['brackets', 'From: <'],
    ['Dutch introductions', 'Op a schreef \n'],
    ['Swedish introductions', 'abc. skrev \n'],
    ['Polish introductions', 'Dnia a pisze \n'],
    ['Chinese introductions', '在写道\n'],
    ['heads', 'From: <a@b.example>\nTo: x\n'],
    ['quote marks', '>\n\n'],
    ['quotes in a paragraph', 'a\n>\n'],
    ['introductions of any language', '1 <a@b.example>:\n\n>'],
    ['beginnings of addresses', '1<a@'],
  ])('100 kB of %s are split within 5 seconds', (_, unit) => {
    const started = performance.now()
    const { text, isCut } = splitNewText(`Hello\n\n${fill(unit)}\nlast`)
    expect(text).toContain('Hello')
    expect(isCut || text.includes('last')).toBe(true)
    expect(performance.now() - started).toBeLessThan(LIMIT_MS)
  })

  test('a line that is too long to be parsed comes back whole', () => {
    const line = 'word '.repeat(200).trim()
    expect(splitNewText(`Hello\n\n${line}\n\nBye`).text).toBe(`Hello\n\n${line}\n\nBye`)
    expect(splitNewText(`Hello\n\n> ${line}`)).toMatchObject({ text: 'Hello', quoted: `> ${line}` })
  })

  test('a pair of surrogates is never cut', () => {
    const { text, isCut } = splitNewText(`a${'\u{1F600}'.repeat(10_000)}`)
    expect(text.isWellFormed()).toBe(true)
    expect(isCut).toBe(true)
  })
})
