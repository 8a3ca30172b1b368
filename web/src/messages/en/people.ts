type Act = {
  label: string
  done: (name: string) => string
  /** Asked first; about oneself in stronger words. */
  question?: { title: (name: string) => string; body: string; ofYou?: string }
}

/** The page of owners about staff. */
export const peopleMessages = {
  title: 'People',
  lead: 'Your colleagues, what they may do, and their accounts. Only owners see this page.',
  levels: { technician: 'Technician', owner: 'Owner' },
  states: {
    active: { word: 'Active', tone: 'success' },
    invited: { word: 'Invited, not confirmed yet', tone: 'warning' },
    disabled: { word: 'Disabled', tone: 'danger' },
    gone: { word: 'No account', tone: 'neutral' },
  },
  you: (name: string) => `${name} (you)`,
  ofYou: (question: string) => `That’s you. ${question}`,
  lastSeen: (day: string) => `Last seen ${day}`,
  neverSeen: 'Not signed in yet',
  staff: 'Staff',
  staffHint: 'Roles given in the identity provider’s own console appear here within ten minutes.',
  acts: {
    owner: {
      label: 'Make owner',
      done: (name) => `${name} is an owner now.`,
      question: {
        title: (name) => `Make ${name} an owner?`,
        body: 'Owners also delete permanently, publish, set fees, and look after staff and privacy requests. They’re told by email.',
      },
    },
    technician: {
      label: 'Make technician',
      done: (name) => `${name} is a technician now.`,
      question: {
        title: (name) => `Make ${name} a technician?`,
        body: 'They lose what only owners may do. They stay signed in.',
        ofYou:
          'You lose this page and everything else that is for owners. Only another owner can give it back.',
      },
    },
    signOut: {
      label: 'Sign out everywhere',
      done: (name) => `${name} is signed out everywhere.`,
      question: {
        title: (name) => `Sign ${name} out everywhere?`,
        body: 'They need to sign in again on every device.',
        ofYou: 'You’ll be signed out here too.',
      },
    },
    factors: {
      label: 'Remove second step',
      done: (name) => `The second step of ${name} is removed.`,
      question: {
        title: (name) => `Remove the second step of ${name}?`,
        body: 'For someone who has lost it: make sure that it’s really them who asks. They’re signed out, told by email, and set up a new one when they next sign in.',
        ofYou: 'You’ll be signed out, and set up a new one when you next sign in.',
      },
    },
    remove: {
      label: 'Remove from staff',
      done: (name) => `${name} is no longer staff.`,
      question: {
        title: (name) => `Remove ${name} from staff?`,
        body: 'They keep their account and see only what a client sees from now on.',
        ofYou:
          'You see only what a client sees from now on. Only another owner can make you staff again.',
      },
    },
    disable: {
      label: 'Disable',
      done: (name) => `${name} can’t sign in any more.`,
      question: {
        title: (name) => `Disable ${name}?`,
        body: 'They’re signed out and can’t sign in until an owner enables them.',
        ofYou:
          'You’ll be signed out and can’t sign in any more. Only another owner can enable you.',
      },
    },
    enable: { label: 'Enable', done: (name) => `${name} can sign in again.` },
    again: { label: 'Invite again', done: (name) => `Invitation sent to ${name}.` },
  } satisfies Record<string, Act> as Record<
    'owner' | 'technician' | 'signOut' | 'factors' | 'remove' | 'disable' | 'enable' | 'again',
    Act
  >,
  invite: 'Invite a colleague',
  inviteLead:
    'We send a link to this address, which works for three days. A technician works with all records; an owner also deletes permanently, publishes, sets fees, and looks after staff and privacy requests.',
  email: 'Email',
  level: 'Level',
  send: 'Send invitation',
  sending: 'Sending...',
  sent: (email: string) => `Invitation sent to ${email}.`,
  adopt: { title: 'This person has an account', label: 'Make staff' },
  adopted: (email: string) => `${email} is staff now and told by email.`,
}
