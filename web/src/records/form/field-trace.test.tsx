import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { formMetadata, toWire } from '@gatehouse/model'
import { models, tickets } from '@gatehouse/model/models'
import { afterEach, expect, test } from 'vitest'
import { clearFeedback, renderSite, requestsIn, stubServer } from '../../../test/kit.tsx'
import { PAGE, readPage, traceIn } from '../../../../tools/docs/architecture-page.ts'
import { startFileCoverage } from '../../../../tools/docs/files-run.ts'

const ADMIN = { sub: 'sub-1', name: 'Ada', role: 'admin' } as const
const CONTEXT = {
  today: '2026-01-31',
  now: '2026-01-31T10:00:00.000Z',
  site: { country: 'IE', currency: 'EUR' },
}
const { contactType } = tickets.fields
const FORM = formMetadata({ fields: { contactType } }, ADMIN, CONTEXT)

afterEach(clearFeedback)

test(`every file that ${PAGE} names for a field in the browser runs when its form is rendered and saved`, async () => {
  const trace = traceIn(readPage(), 'A field').filter(({ first }) => first === 'browser')
  expect(trace.length).toBeGreaterThan(10)
  const calls = stubServer({
    'GET /api/tickets/form-metadata': FORM,
    'POST /api/tickets': Response.json({ id: 1 }, { status: 201 }),
  })
  const coverage = await startFileCoverage()
  await renderSite(toWire(tickets, ADMIN, { ...CONTEXT, models }), '/tickets/create', 'admin')
  await userEvent.selectOptions(await screen.findByLabelText(/^Type/), 'Callback Request')
  await userEvent.click(screen.getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(requestsIn(calls)).toContain('POST /api/tickets'))
  const { ran } = await coverage.filesRun()
  coverage.stop()
  expect(trace.map(({ file }) => file).filter((file) => !ran.has(file))).toEqual([])
})
