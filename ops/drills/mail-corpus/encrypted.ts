import {
  buildAttachment,
  buildEmail,
  buildMultipart,
  buildPart,
  CRLF,
  encodeBase64,
  seededBytes,
  sha256,
} from './build-email.ts'
import { ANYTHING, PERSON, type CorpusEmail } from './expected.ts'

const TEXT = 'The gate has been stuck since noon.'

/** Begins as enveloped data of CMS does. */
const ENVELOPE = Buffer.concat([
  Buffer.from('308006092a864886f70d010703a080', 'hex'),
  seededBytes('envelope', 4_000),
])

const armourBytes = (kind: string, seed: string) =>
  [
    `-----BEGIN PGP ${kind}-----`,
    '',
    encodeBase64(seededBytes(seed, 400)),
    '=aBcD',
    `-----END PGP ${kind}-----`,
    '',
  ].join(CRLF)

const SIGNATURE = armourBytes('SIGNATURE', 'signature')
const MESSAGE = armourBytes('MESSAGE', 'message')

export const ENCRYPTED: CorpusEmail[] = [
  {
    name: 'an email encrypted with S/MIME',
    raw: () =>
      buildEmail(
        {},
        buildPart(ENVELOPE, {
          type: 'application/pkcs7-mime; name=smime.p7m; smime-type=enveloped-data',
          encoding: 'base64',
          disposition: 'attachment; filename=smime.p7m',
        }),
      ),
    expected: {
      ...PERSON,
      files: [
        { name: 'smime.p7m', type: 'application/pkcs7-mime', sha256: sha256(ENVELOPE) },
        { name: 'message.eml', isOptional: true },
      ],
      why: 'S/MIME stays an attachment, so there is something to keep.',
    },
  },
  {
    name: 'an email encrypted with PGP/MIME',
    raw: () =>
      buildEmail(
        { subject: '...' },
        buildMultipart(
          'encrypted',
          [
            buildPart('Version: 1\r\n', {
              type: 'application/pgp-encrypted',
              headers: ['Content-Description: PGP/MIME version identification'],
            }),
            buildPart(MESSAGE, {
              type: 'application/octet-stream; name="encrypted.asc"',
              disposition: 'inline; filename="encrypted.asc"',
            }),
          ],
          { parameters: '; protocol="application/pgp-encrypted"' },
        ),
      ),
    expected: {
      ...PERSON,
      subject: '...',
      files: [
        { name: ANYTHING, type: 'application/pgp-encrypted', isOptional: true },
        { name: 'encrypted.asc', words: ['-----BEGIN PGP MESSAGE-----'] },
        { name: 'message.eml', isOptional: true },
      ],
    },
  },
  {
    name: 'text and a log signed with PGP/MIME',
    raw: () =>
      buildEmail(
        {},
        buildMultipart(
          'signed',
          [
            buildMultipart('mixed', [buildPart(TEXT), buildAttachment('log.bin', 'a log')]),
            buildPart(SIGNATURE, {
              type: 'application/pgp-signature; name="OpenPGP_signature.asc"',
              disposition: 'attachment; filename="OpenPGP_signature.asc"',
            }),
          ],
          { parameters: '; micalg=pgp-sha256; protocol="application/pgp-signature"' },
        ),
      ),
    expected: {
      ...PERSON,
      words: [TEXT],
      files: [
        { name: 'log.bin', size: 5 },
        { name: 'OpenPGP_signature.asc', type: 'application/pgp-signature' },
      ],
    },
  },
  {
    name: 'text signed with PGP inside the text',
    raw: () => {
      const head = ['-----BEGIN PGP SIGNED MESSAGE-----', 'Hash: SHA256', '', TEXT]
      return buildEmail({}, buildPart([...head, '- -- ', 'Erika', SIGNATURE].join(CRLF)))
    },
    expected: {
      ...PERSON,
      words: [TEXT],
      wordsAnywhere: ['-----END PGP SIGNATURE-----'],
      why: 'The signature may be shown or cut, but not lost.',
    },
  },
]
