import { openingLines, type MailTexts, type SiteConfig } from '@gatehouse/model'

/** Ends every mail to a person outside the desk: firm and address, then phone and opening hours if the site has them. */
export const signatureOf = (
  { site, controller }: SiteConfig,
  { signature, phone }: Pick<MailTexts, 'signature' | 'phone'>,
) =>
  [
    signature(controller.name, controller.address),
    ...(site.phone ? [phone(site.phone)] : []),
    ...(site.hours ? openingLines(site.hours, site.locale) : []),
  ].join('\n')
