import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearFeedback } from '../../test/kit.tsx'
import { nthUpload, stagedFile, stubUploads, textFile, Upload } from '../../test/upload-stub.ts'
import { RecordForm } from '#forms/record-form.tsx'

beforeEach(stubUploads)
afterEach(() => {
  cleanup()
  clearFeedback()
})

async function open(field: object = {}, record?: Record<string, unknown>) {
  const onSave = vi.fn<(body: Record<string, unknown>) => Promise<undefined>>()
  render(
    <MemoryRouter>
      <RecordForm
        fields={[
          { name: 'papers', label: 'Papers', type: 'file', max: 2, required: false, ...field },
        ]}
        {...(record ? { record } : {})}
        saveLabel="Save"
        cancel={null}
        onSave={onSave}
      />
    </MemoryRouter>,
  )
  return { onSave, input: await screen.findByLabelText<HTMLInputElement>(/choose/) }
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

describe('the file picker', () => {
  test('a chosen file is uploaded at once, with its name encoded, and saved by its ID', async () => {
    const { onSave, input } = await open()
    await userEvent.upload(input, textFile('Räck.log'))
    const upload = await nthUpload()
    expect(upload.headers.get('x-file-name')).toBe('R%C3%A4ck.log')
    expect(upload.body?.name).toBe('Räck.log')
    upload.answer(201, stagedFile('Räck.log'))
    await screen.findByRole('button', { name: 'Remove Räck.log' })
    await save()
    expect(onSave.mock.lastCall?.[0]).toEqual({ papers: ['id-Räck.log'] })
  })

  test('a form is not saved while a file is on its way, nor while one has failed', async () => {
    const { onSave, input } = await open()
    await userEvent.upload(input, textFile('a.log'))
    const upload = await nthUpload()
    await save()
    expect(onSave).not.toHaveBeenCalled()
    expect(screen.getAllByText('Papers: wait for the upload, or cancel it.')).not.toHaveLength(0)
    upload.dispatchEvent(new Event('error'))
    await screen.findByText('Not attached: the connection was lost.')
    await save()
    expect(onSave).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Try a.log again' }))
    const second = await nthUpload(1)
    second.answer(201, stagedFile('a.log'))
    await screen.findByRole('button', { name: 'Remove a.log' })
    await save()
    expect(onSave.mock.lastCall?.[0]).toEqual({ papers: ['id-a.log'] })
  })

  test('what the server refuses is said, and can only be removed', async () => {
    const { onSave, input } = await open()
    await userEvent.upload(input, textFile('a.log'))
    const upload = await nthUpload()
    upload.answer(422, { detail: 'This file contains malware. It was not stored.' })
    await screen.findByText('Not attached: This file contains malware. It was not stored.')
    expect(screen.queryByRole('button', { name: /again/ })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Remove a.log' }))
    await save()
    expect(onSave).toHaveBeenCalled()
  })

  test('a file that is too large, and one too many, are not sent', async () => {
    const { input } = await open({ maxBytes: 10 })
    await userEvent.upload(input, [
      textFile('large.log', 'x'.repeat(11)),
      textFile('b.log'),
      textFile('c.log'),
    ])
    expect(await screen.findByText('Only 2 files fit here.')).toBeDefined()
    await waitFor(() => expect(Upload.all.map(({ body }) => body?.name)).toEqual(['b.log']))
  })

  test('a dropped and a pasted file are uploaded too', async () => {
    const { input } = await open()
    fireEvent.drop(input, { dataTransfer: { files: [textFile('dropped.log')] } })
    fireEvent.paste(input, { clipboardData: { files: [textFile('pasted.png')] } })
    await waitFor(() =>
      expect(Upload.all.map(({ body }) => body?.name)).toEqual(['dropped.log', 'pasted.png']),
    )
  })

  test('files are listed in the order in which they were chosen, whichever upload ends first', async () => {
    const papers = [stagedFile('stored.log')]
    const { onSave, input } = await open(
      { max: 5 },
      { papers: papers.map(({ id }) => id), labels: { papers } },
    )
    await userEvent.upload(input, [textFile('a.log'), textFile('b.log'), textFile('c.log')])
    for (const [index, name] of [
      [1, 'b.log'],
      [2, 'c.log'],
      [0, 'a.log'],
    ] as const) {
      const upload = await nthUpload(index)
      upload.answer(201, stagedFile(name))
      await screen.findByRole('button', { name: `Remove ${name}` })
    }
    await save()
    expect(onSave.mock.lastCall?.[0]).toEqual({
      papers: ['id-stored.log', 'id-a.log', 'id-b.log', 'id-c.log'],
    })
  })

  test('cancelling ends the upload, and the form can be saved', async () => {
    const { onSave, input } = await open()
    await userEvent.upload(input, textFile('a.log'))
    await nthUpload()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel uploading a.log' }))
    await save()
    expect(onSave).toHaveBeenCalled()
  })

  test('stored files are listed, and what is removed is left out of the list', async () => {
    const papers = [stagedFile('a.log'), stagedFile('b.log', 2_400_000)]
    const { onSave } = await open({}, { papers: papers.map(({ id }) => id), labels: { papers } })
    expect(screen.getByText('2.4 MB')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Remove a.log' }))
    await save()
    expect(onSave.mock.lastCall?.[0]).toEqual({ papers: ['id-b.log'] })
  })
})
