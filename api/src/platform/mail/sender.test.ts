import { expect, test } from 'vitest'
import { CONFIG } from '../../../test/kit.ts'
import { readEnv } from '#platform/env.ts'
import { senderOf } from './sender.ts'

const senderIn = (settings: NodeJS.ProcessEnv) =>
  senderOf(
    CONFIG,
    readEnv({ DATABASE_URL: 'none', OIDC_ISSUER: 'https://x.test', ...settings }).mail.from,
  )

test('emails are sent from MAIL_FROM, or from the owner’s address if it is unset', () => {
  expect(senderIn({ MAIL_FROM: 'Desk <desk@mine.example>' })).toBe('Desk <desk@mine.example>')
  expect(senderIn({ MAIL_FROM: '' })).toBe(CONFIG.owner.email)
  // The privacy address is for requests under data protection law alone: replies must not arrive there.
  expect(senderIn({})).not.toBe(CONFIG.controller.privacyEmail)
})
