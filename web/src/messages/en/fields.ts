/** A field of any form. */
export const fieldMessages = {
  optional: '(optional)',
  required: (label: string) => `${label} is required.`,
  notAPhone: 'Enter a phone number, such as +353 20 910 0100.',
  notAnAddress: 'Enter a full email address, such as name@example.com.',
  chooseNone: 'None',
  choose: 'Choose…',
  addTags: 'Add tags, separated by commas',
  addTo: (label: string) => `Add to ${label}`,
}
