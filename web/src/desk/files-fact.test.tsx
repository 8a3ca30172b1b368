import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { FilesFact, type FilesState } from './files-fact.tsx'
import { InfectedFilesAlert } from './infected-files.tsx'

const FINE: FilesState = {
  store: 'disk',
  freeShare: 0.6,
  scanner: 'up',
  unchecked: 0,
  infected: 0,
  infectedIn: [],
}

function shown(files: FilesState | null) {
  const { container, unmount } = render(
    <MemoryRouter>
      <dl>
        <FilesFact files={files} />
      </dl>
    </MemoryRouter>,
  )
  const fact = container.querySelector('.fact')
  const found = { tone: fact?.classList[1], text: container.querySelector('dd')?.textContent }
  const links = screen.queryAllByRole('link').map((link) => link.getAttribute('href'))
  unmount()
  return { ...found, links }
}

test.each<[string, FilesState | null, string, RegExp]>([
  [
    'fine',
    FINE,
    'success',
    /On this server\. 60 % of the disk is free\. The virus scanner responds\.$/,
  ],
  ['off', null, 'warning', /FILES_DIR is not set/],
  [
    'in a bucket',
    { ...FINE, store: 'bucket', freeShare: null },
    'success',
    /^In a bucket\. The virus/,
  ],
  ['without a scanner', { ...FINE, scanner: 'none' }, 'warning', /opened unchecked/],
  ['with a silent scanner', { ...FINE, scanner: 'down', unchecked: 2 }, 'danger', /2 files wait/],
  ['short of space', { ...FINE, freeShare: 0.1 }, 'warning', /10 % of the disk is free\./],
  ['out of space', { ...FINE, freeShare: 0.04 }, 'danger', /Only 4 % .* new files are refused/],
])('System says of files, %s, how it is and what to do', (_, files, tone, text) => {
  const found = shown(files)
  expect(found.tone).toBe(tone)
  expect(found.text).toMatch(text)
})

test('System links the records whose files contain malware', () => {
  const { tone, text, links } = shown({
    ...FINE,
    infected: 1,
    infectedIn: [{ model: 'tickets', id: '7' }],
  })
  expect(tone).toBe('danger')
  expect(text).toContain('1 attached file contains malware')
  expect(links).toEqual(['/tickets/7'])
})

test('the desk links the records whose files contain malware, and says nothing without any', () => {
  const open = (files: FilesState | null) =>
    render(
      <MemoryRouter>
        <InfectedFilesAlert files={files} />
      </MemoryRouter>,
    )
  for (const files of [null, FINE]) {
    const { container, unmount } = open(files)
    expect(container.innerHTML).toBe('')
    unmount()
  }
  open({ ...FINE, infected: 2, infectedIn: [{ model: 'tickets', id: '7' }] })
  expect(screen.getByRole('alert').textContent).toContain('2 attached files contain malware')
  expect(screen.getByRole('link').getAttribute('href')).toBe('/tickets/7')
})
