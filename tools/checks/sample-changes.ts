import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A feature the product lacks, as insertions: each text is inserted before another text of a file. */
export type Addition = { file: string; before: string; text: string }[]

export const ADDITIONS = {
  'mail the client when an incident closes': [
    {
      file: 'model/src/models/incidents.ts',
      before: "    role: 'processor',",
      text: `    recipients: ['mail'],
`,
    },
    {
      file: 'api/src/security/incidents.ts',
      before: 'import { incidents }',
      text: `import { contacts } from '@gatehouse/model/models'
import type { Mail } from '#engine/mail-kind.ts'
import { recordIn } from '#engine/mail-record.ts'
import { paragraphs } from '#platform/mail/outbox.ts'
`,
    },
    {
      file: 'api/src/security/incidents.ts',
      before: 'export const incidentBehaviour',
      text: `const incidentClosed: Mail<{ incidentId: string }, { title: string }> = {
  about: recordIn(incidents, { id: 'incidentId', reference: 'title' }),
  async facts({ records, mail: { data } }) {
    const incident = await records(incidents).get(data.incidentId)
    return incident?.status === 'Closed' ? { title: incident.title } : null
  },
  text: ({ title }, { site }) => ({
    subject: \`Closed: \${title}\`,
    text: paragraphs('We’ve closed this incident.', \`\${site.url}/incidents\`),
  }),
}

`,
    },
    {
      file: 'api/src/security/incidents.ts',
      before: '  computed: {',
      text: `  mails: { 'incident-closed': incidentClosed },
  after: {
    async update({ record, previous, records, mail }) {
      if (record.status !== 'Closed' || previous.status === 'Closed') return
      const contact = await records(contacts).get(record.reportedBy)
      await mail('incident-closed', contact?.email ?? null, { incidentId: record.id })
    },
  },
`,
    },
  ],

  'refuse a contract that overlaps another': [
    {
      file: 'api/src/clients/contracts.ts',
      before: '  expressions: {',
      text: `  async validate({ record: { id, organisation, service, startOn, endOn }, records }) {
    const others = await records(contracts).find({
      all: [
        ['organisation', 'eq', organisation],
        ['service', 'eq', service],
        { any: [['endOn', 'empty', true], ['endOn', 'gte', startOn]] },
        ...(endOn ? [['startOn', 'lte', endOn] as const] : []),
      ],
    })
    return others.some((other) => other.id !== id)
      ? [{ field: 'startOn', message: 'Another contract covers this time.' }]
      : []
  },
`,
    },
  ],

  'an action Escalate with a form': [
    {
      file: 'model/src/models/ticket-actions.ts',
      before: '  close: {',
      text: `  escalate: { label: 'Escalate', access: 'admin', fields: { body }, done: 'Escalated.' },
`,
    },
    {
      file: 'api/src/tickets/tickets.ts',
      before: '    close: (change)',
      text: `    async escalate({ record, input, records }) {
      await records(tickets).update(record.id, { priority: 'Urgent' })
      await records(messages).create({ ticket: record.id, body: input.body, internal: true })
    },

`,
    },
  ],
} as const satisfies Record<string, Addition>

export type AdditionName = keyof typeof ADDITIONS

export function add(copy: string, parts: Addition) {
  for (const { file, before, text } of parts) {
    const path = join(copy, file)
    const source = readFileSync(path, 'utf8')
    if (source.split(before).length !== 2) throw new Error(`"${before}" must occur once in ${file}`)
    writeFileSync(
      path,
      source.replace(before, () => text + before),
    )
  }
}
