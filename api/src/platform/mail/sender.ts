import type { SiteConfig } from '@gatehouse/model'

/** The From address of all emails. Clients reply to it, so without MAIL_FROM it is the address the site shows. */
export const senderOf = ({ owner }: SiteConfig, mailFrom: string | null | undefined) =>
  mailFrom || owner.email
