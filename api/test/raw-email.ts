/** An email as it arrives: fields, an empty line, the body. Characters are bytes, so that any charset can be written. */
export const rawEmail = (fields: readonly string[], body = '') =>
  Buffer.from([...fields, '', body].join('\r\n'), 'latin1')

/** Text as the bytes of its UTF-8 form, for `rawEmail`. */
export const utf8 = (text: string) => Buffer.from(text).toString('latin1')

type Part = { fields: readonly string[]; body: string }

/** A multipart body with the boundary `edge`. */
export const multipart = (parts: readonly Part[]) =>
  [
    ...parts.map(({ fields, body }) => ['--edge', ...fields, '', body].join('\r\n')),
    '--edge--',
    '',
  ].join('\r\n')
