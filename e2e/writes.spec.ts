import type { Page } from '@playwright/test'
import { change, createRecord } from './form-kit.ts'
import {
  acceptMailsTo,
  call,
  expect,
  signInAndOpen,
  profileOf,
  rejectMailsTo,
  saveButton,
  signIn,
  test,
  unique,
} from './kit.ts'
import { busyButton, expectWriteContract, says, successToast, type Write } from './writes-kit.ts'

/**
 * The same five checks for every form and button that writes: pending and written once, failure reported without loss, conflict
 * reported, undo, draft kept.
 */
test.setTimeout(240_000)

const UNREACHABLE = /We couldn’t reach the server/
const saving = says('Saving...')

type Firm = { id: string; version: number; name?: unknown }

let firm: Firm
const makeFirm = async (page: Page) => {
  firm = await createRecord(page, 'organisations', { name: unique('Firm'), city: 'Leeds' })
}
const firmPath = () => `organisations/${firm.id}`
const move = (page: Page) => change(page, 'organisations', firm.id, { city: unique('Bath') })
const field = (page: Page, name: string) => page.locator(`[id$="-${name}"]`)
/** A form of one field, or one whose other fields are typed by `fill`. */
const typing = (
  name: string,
  text: string,
  fill = (page: Page) => field(page, name).fill(text),
): NonNullable<Write['form']> => ({ fill, typed: (page) => [field(page, name), text] })

/** Ways to close a drawer: each asks first, as the input is not saved. */
const closeDrawer = async (page: Page, press: () => Promise<unknown>) => {
  await press()
  const question = page.getByRole('dialog', { name: 'Close without saving?' })
  await question.getByRole('button', { name: 'Close form' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}
const DRAWER = [
  (page: Page) => closeDrawer(page, () => page.keyboard.press('Escape')),
  (page: Page) => closeDrawer(page, () => page.mouse.click(5, 5)),
  (page: Page) =>
    closeDrawer(page, () =>
      page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click(),
    ),
]

const RECORDS: Write[] = [
  {
    name: 'create',
    open: async (page) => {
      await page.goto('/organisations/create')
      return saveButton(page)
    },
    sends: ['POST', /\/organisations$/],
    pending: saving,
    failed: UNREACHABLE,
    form: typing('name', 'Created Ltd'),
    saved: /created Successfully/,
    undo: true,
  },
  {
    name: 'edit',
    open: async (page) => {
      await page.goto(`/organisations/edit/${firm.id}`)
      return saveButton(page)
    },
    sends: ['PUT', /\/organisations\//],
    pending: saving,
    failed: UNREACHABLE,
    form: typing('city', 'York'),
    conflict: {
      elsewhere: move,
      says: /Someone else changed this record/,
      resolve: async (page) => {
        await page.getByRole('radio', { name: 'City: yours' }).check()
        return page.getByRole('button', { name: 'Save merged' })
      },
    },
    saved: /updated Successfully/,
    undo: true,
  },
  {
    name: 'quick edit',
    open: async (page) => {
      await page.goto(`/${firmPath()}`)
      // Open already if it was left unsaved.
      const edit = page.getByRole('button', { name: 'Edit City' })
      await expect(edit.or(page.locator('#quick-city'))).toBeVisible()
      if (await edit.isVisible()) await edit.click()
      return page.getByRole('button', { name: 'Save', exact: true })
    },
    sends: ['PUT', /\/organisations\//],
    pending: saving,
    failed: UNREACHABLE,
    form: {
      ...typing('city', 'Hull'),
      closings: [
        (page) => field(page, 'city').press('Escape'),
        (page) => page.getByRole('button', { name: 'Cancel' }).click(),
      ],
    },
    conflict: {
      elsewhere: move,
      says: /Someone else changed this record/,
      resolve: async (page) => {
        await page.getByRole('radio', { name: 'City: yours' }).check()
        return page.getByRole('button', { name: 'Save merged' })
      },
    },
    saved: /operation on create\/edit was successful/,
    undo: true,
  },
  {
    name: 'add a related record',
    open: async (page) => {
      await page.goto(`/${firmPath()}`)
      await page.getByRole('button', { name: 'Add Asset' }).click()
      return page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true })
    },
    sends: ['POST', /\/assets$/],
    pending: saving,
    failed: UNREACHABLE,
    form: {
      fill: async (page) => {
        await page.locator('#related-name').fill('added-01')
        await page.locator('#related-kind').selectOption('Server')
      },
      typed: (page) => [page.locator('#related-name'), 'added-01'],
      closings: DRAWER,
    },
    saved: /Asset \(added-01\) created Successfully/,
    undo: true,
  },
  {
    name: 'create beside a form',
    open: async (page) => {
      await page.goto('/contacts/create')
      await page.locator('#field-organisation').click()
      await page.getByRole('option', { name: /^Create/ }).click()
      const drawer = page.getByRole('dialog')
      return drawer.getByRole('button', { name: 'Create', exact: true })
    },
    sends: ['POST', /\/organisations$/],
    pending: saving,
    failed: UNREACHABLE,
    form: {
      fill: (page) => page.locator('#related-name').fill('Beside Ltd'),
      typed: (page) => [page.locator('#related-name'), 'Beside Ltd'],
      closings: DRAWER,
    },
    saved: (page) => expect(page.locator('#field-organisation')).toHaveValue('Beside Ltd'),
  },
  {
    name: 'delete in a list',
    open: async (page) => {
      await page.goto(`/organisations?q=${encodeURIComponent(String(firm.name))}`)
      await page.getByRole('button', { name: `Actions for ${String(firm.name)}` }).click()
      await page.getByRole('button', { name: 'Move to trash' }).click()
      return page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })
    },
    sends: ['DELETE', /\/organisations\//],
    pending: says('Deleting...'),
    failed: /Delete failed\. Please try again\./,
    leavesPage: true,
    conflict: { elsewhere: move, says: /Delete failed\. Please try again\./ },
    saved: /Deleted successfully/,
    undo: true,
  },
  {
    name: 'delete on its page',
    open: async (page) => {
      await page.goto(`/organisations/delete/${firm.id}`)
      const button = page.getByRole('button', { name: 'Delete', exact: true })
      await expect(button).toBeEnabled()
      return button
    },
    sends: ['DELETE', /\/organisations\//],
    pending: says('Deleting...'),
    failed: /Delete failed\. Please try again\./,
    leavesPage: true,
    conflict: { elsewhere: move, says: /Delete failed\. Please try again\./ },
    saved: /deleted Successfully/,
    undo: true,
  },
  {
    name: 'restore of a version',
    open: async (page) => {
      await page.goto(`/${firmPath()}/history`)
      return page.getByRole('button', { name: 'Restore this version' }).last()
    },
    sends: ['POST', /\/restore$/],
    pending: busyButton,
    failed: UNREACHABLE,
    conflict: { elsewhere: move, says: /changed this record after you opened it/ },
    saved: successToast,
    undo: true,
  },
  {
    name: 'putting back a field',
    open: async (page) => {
      await page.goto(`/${firmPath()}/history`)
      return page.getByRole('button', { name: 'Restore City' }).last()
    },
    sends: ['POST', /\/restore$/],
    pending: busyButton,
    failed: UNREACHABLE,
    saved: successToast,
    undo: true,
  },
  {
    name: 'undo in the history',
    open: async (page) => {
      await page.goto(`/${firmPath()}/history`)
      return page.locator('.steps').getByRole('button', { name: 'Undo' }).first()
    },
    sends: ['POST', /\/undo$/],
    pending: busyButton,
    failed: UNREACHABLE,
    saved: /Undone/,
  },
]

const TRASH: Write[] = [
  {
    name: 'restore on the record’s page',
    open: async (page) => {
      await call(page, 'DELETE', firmPath())
      await page.goto(`/${firmPath()}?trash=true`)
      return page.getByRole('button', { name: 'Restore' })
    },
    sends: ['POST', /\/restore$/],
    pending: busyButton,
    failed: UNREACHABLE,
    saved: / restored\./,
    undo: true,
  },
  {
    name: 'restore in the trash',
    open: async (page) => {
      await page.goto(`/organisations?trash=true&q=${encodeURIComponent(String(firm.name))}`)
      await page.getByRole('button', { name: `Actions for ${String(firm.name)}` }).click()
      return page.getByRole('button', { name: 'Restore' })
    },
    sends: ['POST', /\/restore$/],
    pending: saving,
    failed: UNREACHABLE,
    leavesPage: true,
    saved: / restored\./,
    undo: true,
  },
  {
    name: 'purge',
    open: async (page) => {
      await page.goto(`/${firmPath()}?trash=true`)
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      return page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' })
    },
    confirmation: (page) => [page.getByRole('dialog').getByRole('textbox'), String(firm.name)],
    sends: ['POST', /\/purge$/],
    pending: says('Deleting permanently...'),
    failed: UNREACHABLE,
    leavesPage: true,
    saved: /permanently deleted\./,
  },
  {
    name: 'columns and density of a list',
    open: async (page) => {
      await page.goto('/organisations')
      await page.getByRole('button', { name: 'View' }).click()
      const compact = page.getByRole('radio', { name: 'Compact' })
      if (await compact.isChecked()) await page.getByRole('radio', { name: 'Comfortable' }).click()
      return compact
    },
    sends: ['PUT', /\/me\/views\//],
    pending: null,
    failed: /Couldn’t save this view/,
    leavesPage: true,
    saved: (page) => expect(page).toHaveURL(/density=compact/),
  },
]

let ticket: { id: string; subject: string }
const makeTicket = async (page: Page) => {
  const subject = unique('Writes')
  const { id } = await createRecord(page, 'tickets', {
    fullName: 'Nora Visitor',
    email: 'nora@client.example',
    subject,
    message: 'It does not print.',
  })
  ticket = { id, subject }
}
const reply = (page: Page) =>
  call(page, 'POST', `tickets/${ticket.id}/reply`, { body: 'Elsewhere' })

const REQUESTS: Write[] = [
  ...(
    [
      ['reply', 'body', 'Send reply', 'Sending...', /Reply sent\./],
      ['note', 'note', 'Add note', 'Adding...', /Note added/],
    ] as const
  ).map(([name, input, label, pending, saved]): Write => ({
    name: `${name} on a request`,
    open: async (page) => {
      await page.goto(`/requests/${ticket.id}`)
      return page.getByRole('button', { name: label })
    },
    sends: ['POST', new RegExp(`/${name}$`)],
    pending: says(pending),
    failed: UNREACHABLE,
    form: typing(input, `My ${name}`),
    saved,
  })),
  {
    name: 'close on a request',
    open: async (page) => {
      await page.goto(`/requests/${ticket.id}`)
      return page.getByRole('button', { name: 'Close request' })
    },
    sends: ['POST', /\/close$/],
    pending: busyButton,
    failed: UNREACHABLE,
    conflict: { elsewhere: reply, says: /The request wasn’t closed/ },
    saved: /Request closed/,
    undo: true,
  },
  {
    name: 'an action on a record’s page',
    open: async (page) => {
      await page.goto(`/tickets/${ticket.id}`)
      return page.locator('.work-h').getByRole('button', { name: 'Close request' })
    },
    sends: ['POST', /\/close$/],
    pending: busyButton,
    failed: UNREACHABLE,
    conflict: { elsewhere: reply, says: /changed this record after you opened it/ },
    saved: /Request closed/,
    undo: true,
  },
  {
    name: 'an action in the menu of a row',
    open: async (page) => {
      await page.goto(`/tickets?q=${encodeURIComponent(ticket.subject)}`)
      await page.getByRole('button', { name: `Actions for ${ticket.subject}` }).click()
      return page.getByRole('button', { name: 'Close request' })
    },
    sends: ['POST', /\/close$/],
    pending: saving,
    failed: UNREACHABLE,
    leavesPage: true,
    conflict: { elsewhere: reply, says: /changed this record after you opened it/ },
    saved: /Request closed/,
    undo: true,
  },
  {
    name: 'undo in a toast',
    open: async (page) => {
      await page.goto(`/tickets/${ticket.id}`)
      // Closed by the first attempt, whose undo failed.
      const acts = page.locator('.work-h')
      const either = acts.getByRole('button', { name: /^(Close|Reopen) request$/ })
      await either.click()
      return page.locator('.toast-g').getByRole('button', { name: 'Undo' })
    },
    sends: ['POST', /\/undo$/],
    pending: saving,
    failed: UNREACHABLE,
    leavesPage: true,
    saved: /Undone/,
  },
  {
    name: 'the form of an action',
    open: async (page) => {
      await page.goto(`/tickets/${ticket.id}`)
      await page.locator('.work-h').getByRole('button', { name: 'Add note' }).click()
      const drawer = page.getByRole('dialog', { name: 'Add note' })
      return drawer.getByRole('button', { name: 'Add note' })
    },
    sends: ['POST', /\/note$/],
    pending: saving,
    failed: UNREACHABLE,
    form: {
      fill: (page) => page.locator('#action-body').fill('From the drawer'),
      typed: (page) => [page.locator('#action-body'), 'From the drawer'],
      closings: DRAWER,
    },
    saved: /Note added/,
    undo: true,
  },
]

const run = async (page: Page, writes: Write[]) => {
  page.on('dialog', (dialog) => void dialog.accept())
  for (const write of writes) await test.step(write.name, () => expectWriteContract(page, write))
}

test('every write of record pages reports progress, failures and conflicts alike', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  await makeFirm(page)
  await move(page)
  await run(page, RECORDS)
})

test('every write of trash and preferences reports progress, failures and conflicts alike', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  await makeFirm(page)
  try {
    await run(page, TRASH)
  } finally {
    // Other tests use the same account.
    const view = { columns: null, limit: null, density: 'comfortable' }
    await call(page, 'PUT', 'me/views/organisations', view)
  }
})

test('every write of requests and actions reports progress, failures and conflicts alike', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  await makeTicket(page)
  await run(page, REQUESTS)
})

test('every write of public forms reports progress, failures and conflicts alike', async ({
  page,
  user,
}) => {
  await page.goto('/')
  const inquiry: Write = {
    name: 'privacy request',
    open: async (one) => {
      await one.goto('/privacy')
      return one.locator('.inquiry').getByRole('button')
    },
    sends: ['POST', /\/privacy\/requests$/],
    pending: (one) => one.locator('.inquiry .spin'),
    failed: UNREACHABLE,
    form: typing('message', 'What is kept?', async (one) => {
      await field(one, 'name').fill('Iris')
      await field(one, 'email').fill('iris@example.test')
      await field(one, 'subject').selectOption({ index: 1 })
      await field(one, 'message').fill('What is kept?')
      await one.locator('#field-confirmed').check()
    }),
    saved: /received/i,
  }
  const choice: Write = {
    name: 'cookie choice',
    open: async (one) => {
      await one.goto('/security')
      await one.getByRole('button', { name: 'Cookie settings' }).first().click()
      return one.getByRole('button', { name: 'Essential only' })
    },
    sends: ['POST', /\/privacy\/choices$/],
    pending: null,
    failed: null,
    leavesPage: true,
    saved: (one) => expect(one.getByRole('dialog')).toHaveCount(0),
  }
  await run(page, [inquiry, choice])
  await signIn(page, user)
  const enquiry: Write = {
    name: 'contact form',
    open: async (one) => {
      await one.goto('/contact')
      return one.locator('form.fields button[type=submit]')
    },
    sends: ['POST', /\/tickets$/],
    pending: (one) => one.locator('form.fields .spin'),
    failed: UNREACHABLE,
    form: typing('message', 'Hello there', async (one) => {
      await field(one, 'fullName').fill('Nora')
      await field(one, 'email').fill('nora@example.test')
      await field(one, 'subject').fill('Writes')
      await field(one, 'message').fill('Hello there')
    }),
    saved: /view your request|sent/i,
  }
  await run(page, [enquiry])
})

test('every write of desk and System reports progress, failures and conflicts alike', async ({
  page,
  browser,
  admin,
  user,
}) => {
  const address = `gone-${crypto.randomUUID().slice(0, 8)}@example.test`
  await rejectMailsTo(address, '550 5.1.1 No such mailbox')
  await page.request.post('/api/privacy/requests', {
    data: { name: 'I', email: address, subject: 'access', message: 'Kept?', confirmed: true },
  })
  const { sub, name, email } = await profileOf(browser, user)
  await signInAndOpen(page, admin)
  const bySub = encodeURIComponent(JSON.stringify({ all: [['sub', 'eq', sub]] }))
  const byEmail = encodeURIComponent(JSON.stringify({ all: [['email', 'eq', email]] }))
  if ((await call(page, 'GET', `contacts?filter=${byEmail}`)).items.length === 0)
    await call(page, 'POST', 'contacts', { fullName: 'Contact', email })
  // Limits the desk to one access request, without those of other tests.
  await page.route(
    (url) => url.pathname === '/api/accounts' && url.search.includes('asked'),
    async (route) => {
      const url = new URL(`/api/accounts?filter=${bySub}`, route.request().url()).href
      await route.fulfill({ response: await route.fetch({ url }) })
    },
  )
  const decide = (label: string, path: RegExp, failed: RegExp, saved: RegExp): Write => ({
    name: label,
    open: async (one) => {
      await one.goto('/desk')
      return one.getByRole('button', { name: `${label} access for ${name}` })
    },
    sends: ['POST', path],
    pending: busyButton,
    failed,
    saved,
    undo: true,
  })
  await run(page, [
    decide('Approve', /\/approve$/, /wasn’t approved/, /now has access/),
    decide('Decline', /\/refuse$/, /wasn’t declined/, /declined\./),
    {
      name: 'send an email again',
      open: async (one) => {
        const again = one.getByRole('button', { name: /^Send again: Confirmation of a privacy/ })
        await expect(async () => {
          await one.goto('/system')
          await expect(again.first()).toBeVisible({ timeout: 2_000 })
        }).toPass({ timeout: 30_000 })
        return again.first()
      },
      sends: ['POST', /\/retry$/],
      pending: busyButton,
      failed: UNREACHABLE,
      saved: /Queued\./,
    },
  ])
  await acceptMailsTo(address)
})
