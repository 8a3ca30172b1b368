/** Signed addresses and ids of the desk under test: `desk+<number>.<mac>@…`; ids without angle brackets. */
export type CorpusContext = {
  replyAddress: string
  messageId: string
  returnPath: string
  otherTicketReplyAddress: string
}

export type EmailKind = 'person' | 'automatic' | 'bounce-permanent' | 'bounce-temporary' | 'own'

export type ExpectedFile = {
  name: string | RegExp
  type?: string
  size?: number
  sha256?: string
  /** Phrases that the file contains, read as UTF-8. */
  words?: string[]
  /** Phrases that it must not contain, in lower case. */
  absentWords?: string[]
  /** A reader may leave it out. */
  isOptional?: true
}

/**
 * Results a reader must deliver. Phrases are compared without regard to case and white space; addresses and ids
 * without regard to case. Strings may contain the placeholders below.
 */
export type Expected = {
  /** Null: the sender is unknown. */
  from: string | null
  fromName: string | RegExp
  subject: string | RegExp
  /** In the new text: what the sender wrote, up to 10,000 characters. */
  words: string[]
  /** Not in the new text. */
  absentWords?: string[]
  /** In the quoted part or in message.txt, not in the new text. */
  quotedWords: string[]
  /** In the new text, the quoted part or a file. */
  wordsAnywhere?: string[]
  /** Attachments in the order of the email; message.txt and email.html anywhere among them. */
  files: ExpectedFile[]
  mayHaveMoreFiles?: true
  /** Nothing can be read: the only file is message.eml, the bytes as received. */
  isWhole: boolean
  /** A reader may choose message.eml instead of what is expected here. */
  mayBeWhole?: true
  kind: EmailKind
  /** A reader must find one of the two ids, and the recipient if there is one. */
  bounce?: { messageId?: string; returnPath?: string; recipient?: string }
  /** Ids in In-Reply-To and References, in any order. */
  references: string[] | 'any'
  /** Addresses in Delivered-To, X-Original-To, To and Cc, in any order. */
  recipients: string[] | 'any'
  /** With `MAIL_AUTHSERV` as below. */
  isProven: boolean
  /** The reason, where the rules leave room. */
  why?: string
}

export type CorpusEmail = {
  /** Describes the email. */
  name: string
  raw: (context: CorpusContext) => Buffer
  expected: Expected
}

export const MAIL_AUTHSERV = 'mx.desk.example'
export const DESK = 'desk@desk.example'

export const REPLY_ADDRESS = '{REPLY_ADDRESS}'
export const OUR_MESSAGE_ID = '{OUR_MESSAGE_ID}'
export const RETURN_PATH = '{RETURN_PATH}'
export const OTHER_REPLY_ADDRESS = '{OTHER_TICKET_REPLY_ADDRESS}'

export const ANYTHING = /^/

/** An email of `buildEmail` without options. */
export const PERSON: Expected = {
  from: 'erika@client.example',
  fromName: 'Erika Muster',
  subject: 'The gate is stuck',
  words: [],
  quotedWords: [],
  files: [],
  isWhole: false,
  kind: 'person',
  references: [],
  recipients: [DESK],
  isProven: true,
}

/** The sender is not known, or not as that of `buildEmail`. */
export const UNKNOWN_SENDER = { from: null, fromName: ANYTHING, isProven: false } as const

export function fillPlaceholders(text: string, context: CorpusContext) {
  return text
    .replaceAll(REPLY_ADDRESS, context.replyAddress)
    .replaceAll(OUR_MESSAGE_ID, context.messageId)
    .replaceAll(RETURN_PATH, context.returnPath)
    .replaceAll(OTHER_REPLY_ADDRESS, context.otherTicketReplyAddress)
}
