import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Mistake = [
  file: string,
  right: string,
  wrong: string,
  says: string,
  /** What the line has that the message names; otherwise the first of `wrong`. */
  at?: string,
]

const AMOUNT = "      label: 'Amount',\n"
const EXTENSION = '  fields: {\n    xCustomerNumber: {'

/** Mistakes in ops/drills/upgrade/site, each group for one run of `site:check`. */
export const MISTAKES: Record<string, Mistake[]> = {
  code: [
    ['messages/login.ts', 'lead:', 'leed:', "'leed' does not exist"],
    [
      'messages/mail-texts.ts',
      "'Please reply",
      "4, // 'Please reply",
      "'number' is not assignable",
    ],
    ['messages/mail-texts.ts', 'received:', 'recieved:', "'recieved' does not exist"],
    ['messages/list.ts', '', 'export default { leed: 1 }\n', "satisfies Overrides['list']"],
    ['messages/lists.ts', '', 'export default {}\n', 'no messages called "lists"'],
    [
      'index.ts',
      './models/tickets.ts',
      './models/ticket.ts',
      "Cannot find module './models/ticket.ts'",
    ],
    [
      'behaviours/organisations.ts',
      'import {',
      "import '../../api/src/app.ts'\nimport {",
      'that is internal',
    ],
    [
      'behaviours/invoices.ts',
      'const DAY_MS',
      "import '@gatehouse/api/testing'\nconst DAY_MS",
      'for *.test.ts alone',
    ],
    [
      'models/invoices.ts',
      "default: '@today', privacy: np }",
      "default: '@today' }",
      "is not assignable to type 'Field",
      'issuedOn',
    ],
    ['models/invoices.ts', "type: 'decimal'", "type: 'money'", '"money"'],
    ['models/invoices.ts', "retention: 'customer'", "retention: 'client'", '"client"'],
    [
      'models/organisations.ts',
      "label: 'Number'",
      'label: "Number"',
      'not formatted: npx prettier --write site-code/models/organisations.ts',
    ],
  ],
  // By itself: nothing else stops the check before it reads the notice.
  declaration: [
    [
      'models/invoices.ts',
      "default: '@today', privacy: np }",
      "default: '@today' }",
      "is not assignable to type 'Field",
      'issuedOn',
    ],
  ],
  behaviours: [
    ['behaviours/invoices.ts', 'record.amount', 'record.ammount', "'ammount' does not exist"],
    ['behaviours/invoices.ts', '`Please pay ${amount}', '`Please pay ${ammount}', "name 'ammount'"],
    ['behaviours/invoices.ts', "mail('invoice'", "mail('invocie'", '"invocie"'],
    ['behaviours/organisations.ts', 'async register(', 'async enter(', "'enter' does not exist"],
    ['behaviours/invoices.ts', 'dueOn: ({', 'due: ({', "'due' does not exist"],
  ],
  definitions: [
    [
      'models/invoices.ts',
      "  path: 'invoices',",
      "  path: 'invoices',\n  routeName: 'assets',",
      `the address "assets" is the product's`,
      "routeName: 'assets'",
    ],
    [
      'models/invoices.ts',
      "    recipients: ['mail'],\n",
      '',
      "privacy.recipients must include 'mail'",
      '  privacy: {\n',
    ],
    [
      'models/invoices.ts',
      "displayField: 'reference'",
      "displayField: 'amount'",
      'displayField "amount" must be text',
    ],
    [
      'models/invoices.ts',
      "to: 'organisations'",
      "to: 'organisation'",
      'relation to unknown model',
      '    organisation: {',
    ],
    [
      'models/invoices.ts',
      AMOUNT,
      `${AMOUNT}      max: -1,\n`,
      'min must not be greater than max',
      '    amount: {',
    ],
    [
      'models/organisations.ts',
      EXTENSION,
      EXTENSION.replace('{\n', "{\n    region: { type: 'text', label: 'Region', privacy: np },\n"),
      'must begin with x',
      'region',
    ],
    ['models/tickets.ts', "'contactType'", "'colour'", '"colour"'],
    [
      'site.json',
      '"colours": null',
      '"colours": { "light": "#eeeeee", "dark": "#f0b3dc" }',
      'isn’t readable',
    ],
  ],
  settings: [
    ['site.json', '"alertEmail"', '"alertMail"', 'additional properties: alertMail'],
    ['site.json', '"locale": "en-IE"', '"locale": 4', '/site/locale must be string'],
    ['site.json', '"phone": "', '"phone": "call ', '/site/phone'],
  ],
}

export function applyMistakes(folder: string, mistakes: Mistake[]) {
  for (const [name, right, wrong] of mistakes) {
    const file = join(folder, name)
    const text = right === '' ? '' : readFileSync(file, 'utf8')
    if (!text.includes(right)) throw new Error(`${file} has no ${right}`)
    writeFileSync(
      file,
      text.replace(right, () => wrong),
    )
  }
}

/** Mistakes that no line of the output names with its file and line. */
export function findUnnamed(
  { parent, folder }: { parent: string; folder: string },
  mistakes: Mistake[],
  output: string,
) {
  return mistakes.flatMap(([name, , wrong, says, at]) => {
    const text = readFileSync(join(parent, folder, name), 'utf8')
    const place = `${folder}/${name}:${text.slice(0, text.indexOf(at ?? wrong)).split('\n').length}: `
    const isNamed = output.split('\n').some((line) => line.startsWith(place) && line.includes(says))
    return isNamed ? [] : [`${place}${says}`]
  })
}
