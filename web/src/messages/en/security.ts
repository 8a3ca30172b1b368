import { controller, owner, site } from '#base/site.ts'

/** Only measures the program really takes. */
export const securityMessages = {
  title: 'Security',
  lead: `How ${site.name} protects the data you trust us with, and how to report a vulnerability.`,
  measures: [
    {
      title: 'We never see your password',
      text: 'Our identity provider checks it. Access tokens last minutes and stay in your tab.',
    },
    {
      title: 'Permissions are enforced on the server',
      text: 'Every request and every record is checked against one set of rules.',
    },
    {
      title: 'Every change is audited',
      text: 'A change and its audit entry are saved together. The application can’t alter the log.',
    },
    {
      title: 'No third-party content',
      text: 'No outside scripts, fonts, images or trackers.',
    },
    {
      title: 'Personal data is declared',
      text: 'Every field states whether it is personal, why it is kept and for how long.',
    },
    {
      title: 'No personal data in server logs',
      text: 'They record routes and outcomes, not names, messages or IP addresses. What is kept of sign-ins is in the privacy notice.',
    },
  ],
  notMe: 'If someone else changed how you sign in',
  notMeLead:
    'You’ve had an email about a new password or second step, and it wasn’t you. Don’t wait.',
  notMeSteps: [
    `Email <link>${owner.email}</link> from the address of your account, and say which change wasn’t yours.`,
    'We sign your account out everywhere and remove every second step, so that nobody else gets in with one.',
    'When we’ve replied, press “Forgot your password?” on the sign-in page and choose a new password. Then set up a second step of your own.',
  ],
  notMeReset:
    'A reset before that may not help: it asks for the second step, and that may be someone else’s.',
  report: 'Report a vulnerability',
  reportSteps: [
    `Email ${owner.email} with what you found, where, and the steps to reproduce it.`,
    'We reply within three working days.',
    'We won’t take legal action against good-faith research that leaves other people’s data alone and gives us 90 days before publishing.',
  ],
  scope: 'Out of scope',
  scopeItems: [
    'Denial of service',
    'Social engineering and physical access',
    'Unverified scanner output',
  ],
  machine: 'Machine-readable',
  machineText: 'Also published as <link>security.txt</link>',
  who: 'Contact',
  whoText: `${controller.name}, ${controller.address}`,
  privacy: 'Questions about personal data',
}
