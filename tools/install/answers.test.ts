import { expect, test } from 'vitest'
import { askQuestions, checkAnswers } from './answers.ts'
import { questionsOf, type Answers } from './questions.ts'

const ALL = questionsOf({ hasSite: false })
const GIVEN: Answers = {
  SITE_HOST: 'portal.mine.ie',
  OWNER_EMAIL: 'me@mine.ie',
  SITE_NAME: 'Mine',
  POSTAL_ADDRESS: '1 Main Street, Cork',
  COUNTRY: 'IE',
}
const checked = (change: Answers = {}, earlier: Answers = {}) =>
  checkAnswers(ALL, { given: { ...GIVEN, ...change }, earlier })
const errorsOf = (change: Answers) =>
  checked(change).errors.map((error) => error.replace(/:.*/, ''))

/** Types these lines one after the other. */
async function type(lines: string[], earlier: Answers = {}, hasSite = true) {
  const shown: string[] = []
  const hidden: string[] = []
  const answers = await askQuestions(questionsOf({ hasSite }), {
    earlier,
    readLine: async (text, { isHidden }) => {
      const line = lines.shift()
      if (line === undefined) throw new Error(`Nothing left to type at: ${text}`)
      shown.push(text)
      if (isHidden) hidden.push(line)
      return line
    },
    print: (line) => shown.push(line),
  })
  return { answers, shown: shown.join('\n'), hidden, left: lines }
}

test('answers that are left out of a file take the suggestion', () => {
  expect(checked()).toEqual({
    errors: [],
    answers: {
      ...GIVEN,
      IDENTITY_HOST: 'id.portal.mine.ie',
      SMTP_URL: '',
      BACKUP_BUCKET: '',
      TLS: 'acme',
      LEGAL_NAME: 'Mine',
      PRIVACY_EMAIL: 'me@mine.ie',
    },
  })
})

test('every wrong or missing answer of a file is listed by name, without those that follow from it', () => {
  const { errors } = checkAnswers(ALL, {
    given: { SITEHOST: 'a', TLS: 'yes', SITE_NAME: 'Mine', OWNER_EMAIL: 'me', COUNTRY: 'Ireland' },
    earlier: {},
  })
  expect(errors.map((error) => error.split('. ')[0])).toEqual([
    'SITEHOST: There is no question of this name; --help lists all.',
    'SITE_HOST: It is missing',
    'OWNER_EMAIL: It must be an email address such as me@mine.example.',
    'TLS: It must be acme, files, off.',
    'POSTAL_ADDRESS: It is missing',
    'COUNTRY: It must be a code of ISO 3166 in capitals, such as IE or GB.',
  ])
})

test.each<[Answers, string[]]>([
  [{ SITE_HOST: 'https://portal.mine.ie' }, ['SITE_HOST']],
  [{ SITE_HOST: 'Portal.mine.ie' }, ['SITE_HOST']],
  [{ SITE_HOST: 'localhost' }, ['SITE_HOST']],
  [{ SITE_HOST: '203.0.113.5' }, ['SITE_HOST']],
  [{ IDENTITY_HOST: 'portal.mine.ie' }, ['IDENTITY_HOST']],
  [{ OWNER_EMAIL: "o'neill@mine.ie" }, []],
  [{ OWNER_EMAIL: 'Me <me@mine.ie>' }, ['OWNER_EMAIL']],
  [{ SMTP_URL: 'relay.mine.ie:587' }, ['SMTP_URL']],
  [{ SMTP_URL: 'smtp://me%40mine.ie:p%24x@relay.mine.ie:587' }, []],
  [{ SMTP_URL: 'smtp://me:50%off@relay.mine.ie' }, ['SMTP_URL']],
  [{ SMTP_URL: 'smtp://me@relay.mine.ie:587' }, ['SMTP_PASSWORD']],
  [{ SMTP_URL: 'smtp://relay.mine.ie' }, []],
  [{ BACKUP_BUCKET: 's3://bucket' }, ['BACKUP_BUCKET', 'BACKUP_S3_KEY', 'BACKUP_S3_SECRET']],
  [{ BACKUP_BUCKET: 'https://s3.mine.ie/b1', BACKUP_S3_KEY: 'k', BACKUP_S3_SECRET: 's' }, []],
  [{ POSTAL_ADDRESS: '1 Main Street\nCork' }, ['POSTAL_ADDRESS']],
  [{ COUNTRY: 'QX' }, ['COUNTRY']],
  [{ COUNTRY: 'DE' }, ['AUTHORITY_NAME', 'AUTHORITY_URL']],
  [
    { COUNTRY: 'JP', TIME_ZONE: 'Tokyo' },
    ['TIME_ZONE', 'CURRENCY', 'AUTHORITY_NAME', 'AUTHORITY_URL'],
  ],
])('the answers %j have errors of %j', (change, names) => {
  expect(errorsOf(change)).toEqual(names)
})

test('a file’s answer of - clears an optional earlier one; one that is left out keeps it', () => {
  const earlier = { SMTP_URL: 'smtp://relay.mine.ie', TLS: 'off', IDENTITY_HOST: 'login.mine.ie' }
  expect(checked({}, { ...earlier, SITE_HOST: 'portal.mine.ie' }).answers).toMatchObject(earlier)
  expect(checked({ SMTP_URL: '-' }, earlier).answers['SMTP_URL']).toBe('')
})

test('a wrong answer alone is asked again, with the reason', async () => {
  const { answers, shown, left } = await type([
    'https://portal.mine.ie',
    'portal.mine.ie',
    '',
    'me@mine.ie',
    '',
    '',
    'maybe',
    'off',
  ])
  expect(answers).toMatchObject({
    SITE_HOST: 'portal.mine.ie',
    IDENTITY_HOST: 'id.portal.mine.ie',
    OWNER_EMAIL: 'me@mine.ie',
    SMTP_URL: '',
    TLS: 'off',
  })
  expect(left).toEqual([])
  expect(shown).toMatch(/such as portal[^]*It must be a host name[^]*such as portal/)
})

test('passwords and keys are typed hidden, and earlier ones are suggested without being shown', async () => {
  const lines = [
    '',
    '',
    '',
    'smtp://me@relay.mine.ie:587',
    'p$x',
    'https://s3.mine.ie/b1',
    'k9',
    's9',
  ]
  const earlier = { SITE_HOST: 'portal.mine.ie', OWNER_EMAIL: 'me@mine.ie' }
  const first = await type([...lines, ''], earlier)
  expect(first.hidden).toEqual(['p$x', 'k9', 's9'])
  const again = await type(['', '', '', '', '', '', '', '', ''], first.answers)
  expect(again.answers).toEqual(first.answers)
  expect(again.shown).toContain('as before')
  for (const secret of first.hidden) expect(again.shown).not.toContain(secret)
})

test('the password of another relay is not taken over', async () => {
  const earlier = {
    SITE_HOST: 'portal.mine.ie',
    OWNER_EMAIL: 'me@mine.ie',
    SMTP_URL: 'smtp://me@relay.mine.ie',
    SMTP_PASSWORD: 'old',
  }
  const { answers } = await type(
    ['', '', '', 'smtp://me@other.mine.ie', '', 'new', '', ''],
    earlier,
  )
  expect(answers['SMTP_PASSWORD']).toBe('new')
})

test('a site in Ireland is asked nine to eleven questions, one in Japan four more', async () => {
  const lines = ['portal.mine.ie', '', 'me@mine.ie', '', '', '', 'Mine', '', '1 Main Street', '']
  const { answers } = await type([...lines, ''], {}, false)
  expect(answers).toMatchObject({ COUNTRY: 'IE', LEGAL_NAME: 'Mine', PRIVACY_EMAIL: 'me@mine.ie' })
  const more = ['JP', 'Asia/Tokyo', 'JPY', 'PPC', 'https://www.ppc.go.jp']
  expect((await type([...lines, ...more], {}, false)).left).toEqual([])
})
