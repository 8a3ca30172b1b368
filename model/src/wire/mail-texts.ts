/*
 * What emails say. A site says it in its own words in `messages/mail-texts.ts` of its folder; names, addresses and the
 * sender come from its site.json.
 */

type About = { number: number; subject: string }

export const mailTexts = {
  /** Ends every email to a client. */
  closing: 'Please reply on the website: replies to this email don’t reach us.',
  signature: (name: string, address: string) => `${name}\n${address}`,

  /** To clients. Mail programs thread by the subject. */
  client: {
    subject: ({ number, subject }: About) => `[#${number}] ${subject}`,
    reply: (subject: string) => `Re: ${subject}`,
    /** Stands for the subject where the address isn't proven to be theirs. */
    unproven: (site: string) => `Your request to ${site}`,
    received: 'We’ve received your message.',
    replyTime: (hours: number) => `We’ll reply within ${hours} hours.`,
    follow: (url: string) => `Follow it or add details: ${url}`,
    yourMessage: 'Your message:',
    notYou: 'If you didn’t write to us, ignore this email.',
    closed: (url: string) =>
      `We’ve closed this request. If something is missing, reopen it here:\n${url}`,
    reopened: 'We’ve reopened this request and will get back to you.',
    replied: (site: string) => `${site} replied:`,
    nowClosed: 'The request is now closed.',
    readAndReply: (url: string) => `Read and reply: ${url}`,
  },

  /** To the provider. */
  staff: {
    subject: (what: string, { number, subject }: About) => `[#${number}] ${what}: ${subject}`,
    opened: 'New request',
    reported: 'Client report',
    replied: 'Client reply',
    closed: 'Closed by the client',
    reopened: 'Reopened by the client',
    wrote: (who: string) => `${who} wrote:`,
    theClient: 'The client',
    hasClosed: 'The client has closed it.',
    facts: (type: string, number: number) => `Type: ${type}\nReference: #${number}`,
  },

  /** To a person, about their account. */
  account: {
    staffSubject: (site: string) => `Your account at ${site}: staff`,
    levels: {
      technician: (site: string) => `You’ve been made a technician at ${site}.`,
      owner: (site: string) => `You’ve been made an owner at ${site}.`,
    },
    staffNext: (url: string) =>
      `It holds from your next sign-in, which may ask you to set up a second step: ${url}`,
    factorsSubject: (site: string) => `Your account at ${site}: second step removed`,
    factors:
      'We’ve removed the second step from your account and signed you out everywhere. Sign in with your password, then set up a new second step.',
    unexpected: (email: string) => `If you didn’t expect this, tell us: ${email}`,
  },

  privacy: {
    receivedSubject: (reference: string) => `Privacy request ${reference} received`,
    replyBy: (date: string) => `We’ll reply to this address by ${date}.`,
    quote: (reference: string) => `Please quote ${reference} if you contact us about it.`,
    notYou: (email: string) => `Not you? Tell us at ${email}.`,
    openedSubject: (reference: string, kind: string, date: string) =>
      `Privacy request ${reference}: ${kind}, due ${date}`,
    open: (url: string) => `Open it: ${url}`,
  },
}

export type MailTexts = typeof mailTexts
