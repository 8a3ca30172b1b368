/*
 * Texts of problems and field errors: the API sends them as `detail`, forms show the same ones before sending. Programs rely on
 * `code` and `field`; the wording may change.
 */

/** A name inside a sentence: "Service" becomes "service", "SLA tier" stays as it is. */
export const inSentence = (name: string) =>
  /^.\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)

const count = (n: number) => n.toLocaleString('en')

export const problemMessages = {
  signInRequired: 'Sign in to continue.',
  invalidToken: 'Your session has expired. Sign in again.',
  forbidden: 'Only staff can do this.',
  ownersOnly: 'Only owners can do this.',
  stepUpRequired: 'Confirm that it’s you to continue.',
  identityUnavailable: 'Accounts can’t be managed right now. Try again in a moment.',
  invitationNotSent: 'The invitation couldn’t be emailed. Check the mail relay, then invite again.',
  alreadyStaff: 'This person is staff already.',
  hasAccount: (name: string, organisation: string | null) =>
    `${name} has an account${organisation === null ? '' : ` as a client of ${organisation}`}. As staff they see the records of all clients. Make them staff?`,
  noFactors: 'This account has no second step.',
  lastOwner: 'At least one owner who has signed in must stay. Make someone else an owner first.',
  crossSiteForm: 'The form was sent from another website. Please fill it in here.',
  routeNotFound: 'No such API endpoint.',
  // The specification's texts, without a full stop.
  recordNotFound: 'Record not found',
  unsupportedAction: 'Unsupported action',
  operationNotFound: 'There is nothing to undo.',
  notUndoable: 'This change can’t be undone.',
  notUndoableBecause: (reason: string) => `This change can’t be undone: ${reason}`,
  requiredByNow: (field: string) => `${field} was empty, and is required now.`,
  noOptionByNow: (field: string) => `${field} had a value that is no option now.`,
  changedSince: (who: string) => `Can’t undo: ${who} changed the record since.`,
  notNow: 'This isn’t possible now. Someone may have done it already.',
  inFlight: 'A request with this Idempotency-Key is in progress.',
  keyReused: 'This Idempotency-Key was used for another request.',
  invalidKey: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  reservedKey: (prefix: string) => `Idempotency-Key must not start with "${prefix}".`,
  recordErased: 'The record created by this request was erased.',
  changedMeanwhile: 'Someone changed this record after you opened it.',
  inUse: (title: string) =>
    `This record is still used by ${inSentence(title)}. Reassign or delete them first.`,
  inUseByOthers: 'This record is still used by other records. Reassign or delete them first.',
  restricted: (title: string) => `Some ${inSentence(title)} are restricted and must be kept.`,
  tooManyChildren: (max: number, title: string) =>
    `This would also delete more than ${count(max)} ${inSentence(title)}. Delete those first.`,
  tooManyLinks: (links: number) =>
    `${count(links)} records link to this one, too many to unlink in one go. It will be permanently deleted after 30 days in the trash.`,
  relationGone: 'A linked record was permanently deleted.',
  emailNotVerified: 'This account’s email address isn’t verified.',
  noContactToLink: 'No unlinked contact has this email address.',
  addressGone: 'The address was deleted after 7 days. Contact the person yourself.',
  fileTooLarge: (bytes: number) =>
    `Files can have at most ${count(Math.floor(bytes / 1_000_000))} MB.`,
  fileInfected: 'This file contains malware. It was not stored.',
  tooManyFiles:
    'You have uploaded 2 GB that are attached to nothing. Save or discard those records first.',
  noFileStorage: 'This site stores no files. Send them another way.',
  storageFull: 'There is no room for files right now. Try again later.',
  lengthRequired: 'The request needs a Content-Length.',
  tooLarge: 'The request body is too large.',
  headersTooLarge: 'The request headers are too large.',
  requestTooSlow: 'The request took too long to arrive.',
  malformed: 'The request is malformed.',
  notAnObject: 'The body must be a JSON object.',
  tooDeep: (max: number) => `JSON is nested too deeply (limit ${max}).`,
  notBytes: 'Content-Type must be application/octet-stream.',
  notJson: 'Content-Type must be application/json.',
  tooManyRequests: (seconds: number) => `Too many requests. Try again in ${seconds} seconds.`,
  listTooSlow: 'This list took longer than 2 seconds. Add a filter or sort by another column.',
  tooSlow: 'This took too long. Try again.',
  internalError:
    'Something went wrong on our side. Try again; if it keeps happening, send us the request ID.',
  overloaded: 'The server is busy. Try again in a moment.',
  databaseUnavailable: 'Records are temporarily unavailable. Try again in a moment.',
  outcomeUnknown:
    'We couldn’t confirm that your change was saved. Try again; it won’t be saved twice.',
  keysUnavailable: 'We can’t check your session right now. Try again in a moment.',
  metricsMoved: (port: number) => `Metrics have moved: read /metrics on port ${port}.`,
  stopping: 'This replica is shutting down.',
  starting: 'This replica is starting.',
  schemaDiffers: (what: string) => `The database doesn’t hold what this release declares: ${what}.`,
} as const

export const queryMessages = {
  unknownParam: (name: string, meant: string) =>
    `Unknown parameter "${name}". Did you mean "${meant}"?`,
  once: (name: string) => `"${name}" must appear only once.`,
  notUnderstood: (name: string) => `Invalid value of "${name}".`,
  invalidCharacters: (name: string) => `"${name}" contains invalid characters.`,
  trueOrFalse: (name: string) => `"${name}" must be true or false.`,
  unknownField: (name: string) => `Unknown field "${name}".`,
  notSortable: (name: string) => `Can’t sort by "${name}".`,
  limit: (max: number) => `"limit" must be a whole number from 1 to ${max}.`,
  total: '"total" must be capped, exact or none.',
  searchLength: (min: number, max: number) => `"q" must be ${min} to ${max} characters long.`,
  notSearchable: 'This list can’t be searched.',
  invalidCursor: 'Invalid cursor.',
  oneCursor: 'Use "after" or "before", not both.',
  otherCursor: 'This cursor belongs to a different list.',
  beforeVersion: '"before" must be a version number.',
  filterJson: (depth: number) => `"filter" must be valid JSON, nested at most ${depth} levels.`,
  filterShape: (depth: number, parts: number) =>
    `"filter" must look like {"all":[["status","eq","Open"]]}, nested at most ${depth} levels, with at most ${parts} parts each.`,
  filterConditions: (max: number) => `"filter" can have at most ${max} conditions.`,
  filterValues: (max: number) => `"filter" can list at most ${max} values.`,
  filterMistake: (mistake: string) => `Invalid filter: ${mistake}.`,
  filterValue: (name: string, type: string) => `Invalid value for "${name}": expected ${type}.`,
} as const

export const fieldMessages = {
  recordNotFound: (label: string) => `${label}: record not found.`,
  fileNotFound: (label: string) =>
    `${label}: a file is no longer there. Remove it and choose it again.`,
  fileType: (label: string, accept: readonly string[]) => `${label} can be: ${accept.join(', ')}.`,
  fileSize: (label: string, bytes: number) =>
    `${label} can have at most ${count(Math.floor(bytes / 1_000_000))} MB each.`,
  notSettable: (name: string) => `"${name}" can’t be set.`,
  immutable: (label: string) => `${label} can’t be changed.`,
  taken: (label: string) => `${label} is already in use.`,
  invalidInstant: (label: string) => `${label} must be a valid date and time.`,
  required: (label: string) => `${label} is required.`,
  contactElsewhere: (contact: string, theirs: string, chosen: string) =>
    `${contact} belongs to ${theirs}, not to ${chosen}. Choose another organisation or contact.`,
  addressNeeded:
    'This ticket changes hands. Enter another address for the replies, or choose a contact.',
  noRecipient: 'This ticket has no email address. Add one, or write a note.',
  accessChanged: 'The contact’s access has changed since.',
  versionRequired: 'Version is required.',
  versionNotFound: 'There is no such version.',
} as const
