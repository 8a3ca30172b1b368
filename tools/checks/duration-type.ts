import type { Addition } from './sample-changes.ts'

export const TYPES_FILE = 'model/src/definition/field-types.ts'
const VALUES_FILE = 'web/src/forms/inputs/input-values.ts'
const TEXTS_FILE = 'web/src/records/shared/value-text.ts'

/** A field type the product lacks: whole minutes in JSON, shown and typed as hours and minutes. */
export const DURATION: Addition = [
  {
    file: TYPES_FILE,
    before: '  boolean: {',
    text: `  duration: {
    json: 'integer',
    column: 'integer',
    operators: ORDER,
    format: null,
    text: null,
    number: { limit: 2_147_483_647, step: null },
    options: null,
    canSort: true,
    canBeUnique: true,
    input: 'duration',
    cell: 'text',
    formatter: 'duration',
    filterInput: 'text',
  },
`,
  },
  {
    file: VALUES_FILE,
    before: '/** Conversion of each input',
    text: `export function toHours(minutes: string) {
  const total = Math.abs(Number(minutes))
  if (minutes === '' || !Number.isInteger(total)) return minutes
  const rest = String(total % 60).padStart(2, '0')
  return \`\${Number(minutes) < 0 ? '-' : ''}\${Math.floor(total / 60)}:\${rest}\`
}

const toMinutes: Parse = (text) => {
  const [, sign, hours, minutes] = /^(-?)(\\d+):([0-5]\\d)$/.exec(text.trim()) ?? []
  return hours === undefined ? text : Number(\`\${sign}1\`) * (Number(hours) * 60 + Number(minutes))
}

`,
  },
  { file: VALUES_FILE, before: '  toggle,\n', text: '  duration: line(toHours, toMinutes),\n' },
  {
    file: 'web/src/forms/inputs/record-inputs.tsx',
    before: '  toggle: {',
    text: "  duration: { Input: singleLine('text', { placeholder: 'h:mm' }) },\n",
  },
  {
    file: TEXTS_FILE,
    before: 'import { fieldFacts }',
    text: "import { toHours } from '#forms/inputs/input-values.ts'\n",
  },
  { file: TEXTS_FILE, before: '  day: ', text: '  duration: (value) => toHours(String(value)),\n' },
]
