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
  lastSeen: (day: string) => `Last seen ${day}`,
  neverSeen: 'Not signed in yet',
  staff: 'Staff',
  staffHint: 'Staff appear here with their next sign-in, or when you invite them.',
  acts: {
    owner: { label: 'Make owner', done: (name: string) => `${name} is an owner now.` },
    technician: {
      label: 'Make technician',
      done: (name: string) => `${name} is a technician now.`,
    },
    disable: {
      label: 'Disable',
      done: (name: string) => `${name} can’t sign in any more.`,
    },
    enable: { label: 'Enable', done: (name: string) => `${name} can sign in again.` },
    signOut: {
      label: 'Sign out everywhere',
      done: (name: string) => `${name} is signed out everywhere.`,
    },
    again: { label: 'Invite again', done: (name: string) => `Invitation sent to ${name}.` },
  },
  invite: 'Invite a colleague',
  inviteLead:
    'We send a link to this address. A technician works with all records; an owner also deletes permanently, publishes, sets fees, and looks after staff and privacy requests.',
  email: 'Email',
  level: 'Level',
  send: 'Send invitation',
  sending: 'Sending...',
  sent: (email: string) => `Invitation sent to ${email}.`,
}
