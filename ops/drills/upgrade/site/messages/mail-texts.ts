import type { Overrides } from '@gatehouse/web/messages'

export default {
  closing: 'Please reply in the portal: nobody reads this mailbox.',
  client: { received: 'Your message is with our engineers.' },
} satisfies Overrides['mail-texts']
