/*
 * Texts of emails. A site overrides them in `messages/mail-texts.ts` of its folder; names, addresses and the sender come from
 * its site.json.
 */

type About = { number: number; subject: string }

export const mailTexts = {
  /** Ends every email to a client. */
  closing: 'Please reply on the website: replies to this email don’t reach us.',
  signature: (name: string, address: string) => `${name}\n${address}`,
  /** Follows the signature on a site with a phone number. */
  phone: (phone: string) => `Phone: ${phone}`,

  /** To clients. Mail programs thread by the subject. */
  client: {
    subject: ({ number, subject }: About) => `[#${number}] ${subject}`,
    reply: (subject: string) => `Re: ${subject}`,
    /** Replaces the subject if the address isn't verified. */
    unproven: (site: string) => `Your request to ${site}`,
    received: 'We’ve received your message.',
    /** A request that staff opened for the client, after a call. */
    openedFor: ({ number, subject }: About) =>
      `We’ve opened a request for you: #${number}, ${subject}`,
    replyTime: (hours: number) =>
      `We’ll reply within ${hours === 1 ? '1 hour' : `${hours} hours`}.`,
    /** Replaces `replyTime` on a site with opening hours. */
    replyWorkingTime: (hours: number) =>
      `We’ll reply within ${hours === 1 ? '1 working hour' : `${hours} working hours`}.`,
    /** In emails about a Client Report, on a site with a number for emergencies. */
    emergency: (phone: string, note: string) => `Emergency: ${phone}\n${note}`,
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
    callBack: (phone: string) => `Phone: ${phone}`,
    callbackWish: (wish: string) => `Good time to call: ${wish}`,
  },

  /** To an account owner, about the account. */
  account: {
    staffSubject: (site: string) => `Your account at ${site}: staff`,
    levels: {
      technician: (site: string) => `You’ve been made a technician at ${site}.`,
      owner: (site: string) => `You’ve been made an owner at ${site}.`,
    },
    staffNext: (url: string) =>
      `It holds from now on. Your next sign-in may ask you to set up a second step: ${url}`,
    factorsSubject: (site: string) => `Your account at ${site}: second step removed`,
    factors:
      'We’ve removed the second step from your account and signed you out everywhere. Sign in with your password, then set up a new second step.',
    unexpected: (email: string) => `If you didn’t expect this, tell us: ${email}`,
  },

  /** Warnings to the account concerned and to the desk, and alerts to all owners. */
  security: {
    guessedAt: {
      subject: (site: string) => `Your account at ${site}: someone is trying to sign in`,
      person: (url: string) => [
        'Someone is trying to sign in to your account with one password after another. None was right, and your account isn’t locked.',
        'If your password is long and you use it nowhere else, there’s nothing to do. If not, choose a new one, and set up a second step:',
        url,
      ],
      deskSubject: 'Someone is guessing the password of an account',
      desk: [
        'At least 150 sign-ins to this account failed within an hour. The person was told, if their address is confirmed. The account isn’t locked.',
      ],
    },
    passwordKnown: {
      subject: (site: string) => `Your account at ${site}: choose a new password`,
      person: (url: string) => [
        'Someone who knows your password tried one code after another for your second step, and didn’t get in. We’ve ended all sessions, and your password no longer works.',
        'To choose a new one, open the sign-in page and press “Forgot your password?”:',
        url,
        'If you use that password anywhere else, change it there too.',
      ],
      deskSubject: 'Someone knows the password of an account',
      desk: [
        'Someone gave the right password for this account and then too many wrong codes. The password was removed, all sessions were ended, and the person was told, if their address is confirmed.',
      ],
    },
    factorParked: {
      subject: (site: string) => `Your account at ${site}: a second step was removed`,
      person: (url: string) => [
        'Someone who had signed in to your account before it was last secured has just set up a second step. We’ve removed it and ended all sessions.',
        'If that was you, sign in and set it up again. If not, choose a new password: press “Forgot your password?” on the sign-in page.',
        url,
      ],
      deskSubject: 'A second step was set up in an old sign-in',
      desk: [
        'A second step was set up in a sign-in from before the password or another second step of this account was changed. It was removed, all sessions were ended, and the person was told, if their address is confirmed.',
      ],
    },
    passwordParked: {
      subject: (site: string) => `Your account at ${site}: choose a new password`,
      person: (url: string) => [
        'Someone who had signed in to your account before it was last secured has just changed your password. We’ve removed that password and ended all sessions.',
        'To choose a new one, open the sign-in page and press “Forgot your password?”:',
        url,
      ],
      deskSubject: 'A password was changed in an old sign-in',
      desk: [
        'The password of this account was changed in a session that had been ended before. It was removed, all sessions were ended, and the person was told, if their address is confirmed.',
      ],
    },
    questions: (email: string) => `Questions? Write to ${email}.`,
    alertSubject: (site: string, what: string) => `Security alert at ${site}: ${what}`,
    alerts: {
      'admin-granted': {
        subject: 'someone was made staff',
        text: 'Someone was made a technician or an owner within the last hour.',
      },
      'admin-factor': {
        subject: 'a second step of staff',
        text: 'Within the last hour a second step of someone on your staff was removed, or they signed in with a recovery code.',
      },
      'admin-failures': {
        subject: 'failed sign-ins of staff',
        text: 'At least ten sign-ins of someone on your staff failed within the last hour.',
      },
      exported: {
        subject: 'personal data was exported',
        text: 'Someone exported personal data within the last hour.',
      },
      'history-mismatch': {
        subject: 'history and audit log differ',
        text: 'The nightly comparison found changes without an entry in the audit log, or the reverse. Someone may have changed the database past the program.',
      },
    },
    see: (url: string) =>
      `Who and when: ${url}\nThe next alert of this kind comes in an hour at the earliest.`,
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
