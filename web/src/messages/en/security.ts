import { controller, owner, site } from '#base/site.ts'

/** Only what the program does, each with where it can be seen. */
export const securityMessages = {
  title: 'Security',
  lead: `How ${site.name} protects what it is trusted with, and how to tell us about a weakness.`,
  measures: [
    {
      title: 'Sign-in without a password of ours',
      text: 'You sign in at our identity provider with the authorisation-code flow and PKCE. This site never sees your password; access tokens live for minutes and only in your tab.',
    },
    {
      title: 'The server decides',
      text: 'Every request is checked against one permission rule, and every record against who may see it. What the browser hides is a courtesy; what the server refuses stays refused.',
    },
    {
      title: 'Every change leaves a trace',
      text: 'A change to a record and the line that says who made it are written together or not at all. The application can add to that log and can not rewrite it.',
    },
    {
      title: 'Nothing foreign on the page',
      text: 'No third-party script, font, picture or counter is loaded. The content security policy allows our own files only, and no markup made from text.',
    },
    {
      title: 'Personal data is declared',
      text: 'Every field states whether it is personal, why it is kept and for how long.',
    },
    {
      title: 'No personal data in logs',
      text: 'They record routes and outcomes, not names, messages or IP addresses.',
    },
  ],
  report: 'Report a weakness',
  reportSteps: [
    `Write to ${owner.email}. Say what you found, where, and how it can be repeated.`,
    'You get an answer within three working days, and word of what became of it.',
    'We take no legal step against anyone who looks in good faith, touches no data of others, and gives us 90 days before publishing.',
  ],
  scope: 'Please leave out',
  scopeItems: [
    'Anything that slows the service down for others',
    'Deception of people, and entry into buildings',
    'Findings of a scanner that nobody has looked at',
  ],
  machine: 'For machines',
  machineText: 'The same in the form tools expect:',
  who: 'Who answers',
  whoText: `${controller.name}, ${controller.address}`,
  privacy: 'Questions about personal data',
  privacyLink: 'Privacy Inquiry Form',
}
