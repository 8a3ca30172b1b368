import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One release of a site with a model of jobs. Together they make each kind of change that a definition can have. */
type Release = {
  /** What changes, for the report. */
  kinds: string
  fields: string
  retired?: string
  /** Answers of `npm run db:migration`. */
  answers: string[]
  /** Name of the field with the minutes; null once it is in hours. */
  minutes: string | null
}

const TITLE = `title: { type: 'text', label: 'Title', required: true, searchable: true, privacy: np },`
const STATE = `state: { type: 'select', label: 'State', options: choices('New', 'Old', 'Lost'), privacy: np },`
const TAGS = `tags: { type: 'multiselect', label: 'Tags', options: choices('A', 'B'), privacy: np },`
const MINUTES = `{ type: 'integer', label: 'Minutes', sortable: true, privacy: np },`
const RENAMED = `duration: { type: 'integer', label: 'Duration', sortable: true, formerly: ['minutes'], privacy: np },`
const HOURS = (more: string) => `hours: { type: 'decimal', label: 'Hours',${more} privacy: np },`
const NOTE = (more: string) => `note: { type: 'text', label: 'Note',${more} privacy: np },`
const CODE = (more: string) => `code: { type: 'text', label: 'Code',${more} privacy: np },`
const EXTRA = `extra: { type: 'text', label: 'Extra', privacy: np },`
const ADDED = (more: string) => `
    colour: { type: 'text', label: 'Colour',${more} privacy: np },
    place: { type: 'text', label: 'Place', required: true, privacy: np },
    length: { type: 'text', label: 'Length', computed: 'column', privacy: np },
    client: { type: 'relation', label: 'Client', to: 'organisations', onDelete: 'restrict', privacy: np },`

const SOME = STATE.replace(", 'Lost'", '') + TAGS.replace(", 'B'", '')

export const RELEASES: Release[] = [
  {
    kinds: 'the first tables',
    fields: TITLE + STATE + TAGS + `minutes: ${MINUTES}` + NOTE('') + CODE('') + EXTRA,
    answers: [],
    minutes: 'minutes',
  },
  {
    kinds: 'add, required, rename, relation, search, computed',
    fields:
      TITLE + STATE + TAGS + RENAMED + NOTE(' searchable: true,') + CODE('') + EXTRA + ADDED(''),
    answers: ['--value', 'site_jobs.place=Office', '--value', 'site_jobs.length=upper(title)'],
    minutes: 'duration',
  },
  {
    kinds: 'retype, choice removed, index, unique, retired',
    fields:
      TITLE +
      SOME +
      HOURS(` replaces: 'duration',`) +
      NOTE(' searchable: true,') +
      CODE(' unique: true,') +
      ADDED(' sortable: true,'),
    retired: RENAMED + EXTRA,
    answers: ['--replace', 'site_jobs.state:Lost=Old', '--replace', 'site_jobs.tags:B=A'],
    minutes: null,
  },
  {
    kinds: 'remove, made required',
    fields:
      TITLE +
      SOME +
      HOURS('') +
      NOTE(' required: true, searchable: true,') +
      CODE(' unique: true,') +
      ADDED(' sortable: true,'),
    answers: [
      '--delete',
      'site_jobs.minutes',
      '--delete',
      'site_jobs.extra',
      '--value',
      'site_jobs.note=None',
    ],
    minutes: null,
  },
]

export function writeRelease(site: string, { fields, retired }: Release) {
  const isComputed = fields.includes('computed:')
  const files = {
    'models/jobs.ts': `import { choices, defineModel, np } from '@gatehouse/model'

export const jobs = defineModel({
  name: 'Job',
  title: 'Jobs',
  path: 'jobs',
  displayField: 'title',
  access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {${fields}},
  ${retired ? `retired: {${retired}},` : ''}
})
`,
    'behaviours/jobs.ts': `import { defineBehaviour } from '@gatehouse/api/behaviour'
import { jobs } from '../models/jobs.ts'

export const jobBehaviour = defineBehaviour(jobs, {
  ${isComputed ? 'computed: { length: ({ record }) => record.title.toUpperCase() },' : ''}
})
`,
    'index.ts': `import { defineSite } from '@gatehouse/model'
import { jobBehaviour } from './behaviours/jobs.ts'
import { jobs } from './models/jobs.ts'

export const site = defineSite({ models: [jobs], behaviours: [jobBehaviour] })
`,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(site, name)), { recursive: true })
    writeFileSync(join(site, name), text)
  }
}
