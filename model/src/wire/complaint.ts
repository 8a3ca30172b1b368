/** What a JSON Schema found wrong with a value: the keyword that failed and what it asks for. */
export type Complaint = {
  keyword: string
  params: Record<string, unknown>
  /** Wrong is one part of a list, not the list. */
  isPart: boolean
}

/** The end of a sentence that begins with the field's label. The API and the browser say the same. */
export function complaintWords({ keyword, params, isPart }: Complaint) {
  const limit = String(params['limit'])
  switch (keyword) {
    case 'required':
    case 'minLength':
      return 'is required'
    case 'maxLength':
      return isPart
        ? `may hold at most ${limit} characters each`
        : `may have at most ${limit} characters`
    case 'maxItems':
      return `may hold at most ${limit} values`
    case 'uniqueItems':
      return 'holds the same value twice'
    case 'enum':
      return 'must be one of the choices'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}`
    case 'type':
      return `must be ${TYPE_WORDS[String(params['type']).split(',')[0] ?? ''] ?? 'something else'}`
    case 'format':
      return `must be ${FORMAT_WORDS[String(params['format'])] ?? 'written differently'}`
    default:
      return 'is blank or contains invalid characters'
  }
}

const TYPE_WORDS: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
}

const FORMAT_WORDS: Record<string, string> = {
  email: 'an e-mail address',
  uri: 'a web address that begins with https:// or http://',
  date: 'a day written as 2026-01-31',
  'date-time': 'a date and time with its time zone',
  uuid: 'the id of a record',
}
