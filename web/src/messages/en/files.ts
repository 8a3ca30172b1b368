import { formatList, formatNumber, plural } from '#base/format.ts'

const MEGABYTE = 1_000_000

/** Files on forms and records. */
export const fileMessages = {
  /** `<choose>` becomes the button. */
  drop: (count: number) =>
    count === 1
      ? 'Drop a file here or <choose>choose one</choose>'
      : 'Drop files here or <choose>choose some</choose>',
  /** Of a message: text and files go together. */
  attach: (count: number) => (count === 1 ? 'Attach a file' : 'Attach files'),
  camera: 'Take a photo',
  limits: (count: number, bytes: number, types: readonly string[]) => {
    const size = `of at most ${formatNumber(Math.floor(bytes / MEGABYTE))} MB`
    const files = plural(count, { one: 'One file', other: `Up to ${formatNumber(count)} files` })
    const kinds = types.length > 0 ? `: ${formatList([...types], 'disjunction')}` : ''
    return `${files} ${size}${kinds}.`
  },
  attached: (label: string) => `${label}: attached files`,
  remove: (name: string) => `Remove ${name}`,
  cancel: (name: string) => `Cancel uploading ${name}`,
  retry: (name: string) => `Try ${name} again`,
  uploading: (percent: number) => `${percent} %`,
  checking: 'Checking…',
  failed: 'Not attached: the connection was lost.',
  refused: (reason: string) => `Not attached: ${reason}`,
  tooMany: (count: number) =>
    plural(count, {
      one: 'Only one file fits here.',
      other: `Only ${formatNumber(count)} files fit here.`,
    }),
  pending: (label: string) => `${label}: wait for the upload, or cancel it.`,
  unfinished: (label: string) => `${label}: try again or remove what failed.`,
  done: (name: string) => `${name} attached.`,
  unchecked: 'Being checked for malware',
  infected: 'Contains malware',
  gone: 'Deleted file',
  download: 'Download',
  original: 'Open original',
  /** Of the dialog that shows it, in "Couldn’t load…". */
  picture: 'the picture',
  previousPicture: 'Previous picture',
  nextPicture: 'Next picture',
  place: (place: number, count: number) => `${formatNumber(place)} of ${formatNumber(count)}`,
  close: 'Close',
  notOpened: 'The file couldn’t be opened. Try again.',
  size: (bytes: number) =>
    bytes < MEGABYTE
      ? `${formatNumber(Math.max(1, Math.round(bytes / 1_000)))} kB`
      : `${formatNumber(Math.round(bytes / 100_000) / 10)} MB`,
}
