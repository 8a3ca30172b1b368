/** A JSON Schema validation error: the failed keyword and its parameters. */
export type Violation = {
  keyword: string
  params: Record<string, unknown>
  /** The violation is in one entry of a list, not in the list itself. */
  isPart: boolean
}

/** The end of a sentence that begins with the field's label; shared by API and browser. */
export function violationText({ keyword, params, isPart }: Violation) {
  const limit = String(params['limit'])
  switch (keyword) {
    case 'required':
    case 'minLength':
      return 'is required'
    case 'maxLength':
      return `can have at most ${limit} characters${isPart ? ' each' : ''}`
    case 'maxItems':
      return `can have at most ${limit} entries`
    case 'minItems':
      return `needs at least ${limit === '1' ? 'one entry' : `${limit} entries`}`
    case 'uniqueItems':
      return 'contains the same value twice'
    case 'enum':
      return 'must be one of the options'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}`
    case 'type':
      return `must be ${TYPES[String(params['type']).split(',')[0] ?? ''] ?? 'of another type'}`
    case 'format':
      return `must be ${FORMATS[String(params['format'])] ?? 'in another format'}`
    default:
      return 'is blank or contains invalid characters'
  }
}

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
}

const FORMATS: Record<string, string> = {
  email: 'an email address',
  uri: 'a web address that starts with https:// or http://',
  date: 'a date such as 2026-01-31',
  'date-time': 'a date and time with its time zone',
  uuid: 'a record ID',
}
