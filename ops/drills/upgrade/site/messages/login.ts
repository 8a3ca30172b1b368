import type { Overrides } from '@gatehouse/web/messages'

export default {
  lead: 'Sign in to see your invoices and our replies.',
} satisfies Overrides['login']
