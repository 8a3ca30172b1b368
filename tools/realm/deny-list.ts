import { writeFileSync } from 'node:fs'

/**
 * Writes Keycloak's list of denied passwords: common words padded to the required length, which attackers try first. Keycloak
 * ignores case.
 */
const MIN_LENGTH = 12
const FILE = new URL('../../ops/keycloak/password-blacklists/common.txt', import.meta.url)

const WORDS =
  `password passw0rd p@ssword p@ssw0rd pa55word pa55w0rd passwort motdepasse contrasena passphrase
  qwerty qwertyuiop azerty azertyuiop qwertz qwertzuiop asdf asdfgh asdfghjkl zxcv zxcvbn zxcvbnm qazwsx qazwsxedc 1qaz2wsx
  1q2w3e 1q2w3e4r 1q2w3e4r5t q1w2e3r4 iloveyou iloveu ilovemyself lovelove letmein letmeinnow welcome welcometo welcomehome admin
  administrator superadmin sysadmin root rootroot toor guest default changeme changethis changemenow changeit secret topsecret
  supersecret login loginlogin access master trustno1 whatever nothing monkey dragon football baseball basketball hockey
  soccer rugby golf cricket sunshine moonlight starlight rainbow butterfly flower princess prince queen superman batman spiderman
  ironman starwars pokemon pikachu minecraft fortnite matrix hello hellohello helloworld goodbye freedom liberty justice
  computer laptop internet network server windows microsoft apple google facebook instagram linkedin samsung android iphone
  chocolate cookie coffee cheese banana orange pepper ginger cherry summer winter spring autumn january february march april
  june july august september october november december monday tuesday wednesday thursday friday saturday sunday
  dublin cork galway limerick ireland london england scotland wales liverpool arsenal chelsea everton manchester celtic rangers
  paris france berlin germany madrid spain america newyork california australia canada
  michael jennifer jessica ashley amanda daniel david andrew anthony matthew joshua robert thomas william charlie jordan george
  harry jack james john mary patrick sean ciara aoife siobhan niamh emma sarah laura rachel nicole samantha elizabeth
  gatehouse company office business support helpdesk service manager security secure finance payroll accounts invoice customer
  temp temporary tempo test testing testtest tester demo sample example user username newuser`
    .split(/\s+/)
    .filter(Boolean)

const DIGITS = '1234567890'
const COUNTS = Array.from(DIGITS, (_digit, index) => DIGITS.slice(0, index + 1))
const YEARS = Array.from({ length: 31 }, (_year, index) => String(2000 + index))
const ENDINGS = [
  ...COUNTS,
  ...YEARS,
  ...'321 4321 54321 654321 87654321 987654321 0987654321'.split(' '),
  ...'00 000 0000 11 111 1111 69 77 777 7777 88 99 999 007'.split(' '),
]

const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  'zyxwvutsrqponmlkjihgfedcba',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'qwertzuiopasdfghjklyxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'zaq12wsxcde34rfvbgt56yhn',
  '!@#$%^&*()_+',
  `${DIGITS}${DIGITS}${DIGITS}`,
  `0${DIGITS}${DIGITS}`,
  '098765432109876543210',
  '987654321098765432109876543210',
]
const SHORT = ['abc', 'abcd', 'abc123', '123', '1234', '12', 'qwe', 'asd', 'aa11', 'a1b2c3']

export const denyList = () =>
  [...new Set([...fromWords(), ...fromRuns(), ...fromRepeats()].map((text) => text.toLowerCase()))]
    .filter((text) => text.length >= MIN_LENGTH)
    .toSorted()

const fromWords = () =>
  WORDS.flatMap((word) => [
    word,
    `${word}${word}`,
    `${word}${word}${word}`,
    `my${word}`,
    ...ENDINGS.flatMap((ending) => [`${word}${ending}`, `${word}${ending}!`]),
    ...COUNTS.flatMap((count) => [`${count}${word}`, `${word}@${count}`]),
  ])

const fromRuns = () =>
  RUNS.flatMap((run) =>
    Array.from({ length: run.length - MIN_LENGTH + 1 }, (_, index) =>
      run.slice(0, MIN_LENGTH + index),
    ).flatMap((start) => ['', '1', '12', '123', '!', '1!'].map((ending) => `${start}${ending}`)),
  )

const fromRepeats = () =>
  [...'abcdefghijklmnopqrstuvwxyz0123456789'.split(''), ...SHORT].flatMap((part) =>
    Array.from({ length: 9 }, (_, index) =>
      part.repeat(Math.ceil((MIN_LENGTH + index) / part.length)),
    ),
  )

if (import.meta.main) writeFileSync(FILE, `${denyList().join('\n')}\n`)
