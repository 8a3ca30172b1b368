import type { Samples, Setting } from './samples.ts'

/** All invented. */
export function sampleRecords({ day, at, sub, site }: Setting) {
  const bob = {
    fullName: 'Bob Client',
    email: 'bob@example.test',
    clientId: sub('bob'),
    clientName: 'Bob Client',
  }
  const carol = {
    fullName: 'Carol Byrne',
    email: 'carol@example.test',
    clientId: sub('carol'),
    clientName: 'Carol Byrne',
    contact: 'carol',
    organisation: 'harbour',
  }
  const dave = {
    fullName: 'Dave Kelleher',
    email: 'dave@example.test',
    clientId: sub('dave'),
    clientName: 'Dave Kelleher',
    contact: 'dave',
    organisation: 'harbour',
  }
  const marcin = {
    fullName: 'Marcin Zielak',
    email: 'marcin.zielak@glenmore-foods.example.com',
    contact: 'marcin',
    organisation: 'glenmore',
  }
  /** Days until the next Sunday, never today. */
  const toSunday = 7 - new Date(`${day(0)}T00:00:00Z`).getUTCDay()
  const opened = (offset: number, time: string) => ({
    openedAt: at(offset, time),
    lastContactAt: at(offset, time),
  })

  const tickets: Samples = {
    'offer-for-studio': {
      ...bob,
      ...opened(-19, '09:12'),
      subject: 'Offer for a small studio',
      message:
        'We are five people in an architects’ studio and have looked after our laptops ourselves so far. What would a managed workplace cost us, and how long does the move take?',
      service: 'managed-workplace',
      status: 'Waiting for client',
      tags: ['offer'],
      minutesSpent: 40,
      internalNotes:
        'Good fit. Ask about the licence for the drawing software before naming a price.',
    },
    'call-back-backup': {
      ...bob,
      ...opened(-1, '15:40'),
      subject: 'Please call me about backups',
      contactType: 'Callback',
      message:
        'Afternoons are best. It is about the external disk we copy everything to on Fridays.',
      service: 'backup-disaster-recovery',
      callbackAt: at(1, '14:00'),
    },
    'scanner-to-mail': {
      ...carol,
      ...opened(-1, '08:25'),
      subject: 'Scanner no longer sends mail',
      message:
        'Since this morning the scanner on the second floor says "authentication failed" when I send a scan to my mailbox.',
      service: 'managed-workplace',
      status: 'Open',
      priority: 'High',
      tags: ['mail', 'printer'],
      minutesSpent: 25,
      internalNotes: 'Old protocol switched off last night as announced. Needs the relay.',
    },
    'second-screen': {
      ...carol,
      ...opened(-27, '10:02'),
      subject: 'Second screen stays black after the dock is unplugged',
      message: 'When I come back to my desk only one of the two screens wakes up. A restart helps.',
      service: 'managed-workplace',
      status: 'Closed',
      priority: 'Low',
      closedAt: at(-24, '13:30'),
      minutesSpent: 35,
      tags: ['hardware'],
      resolution:
        'Firmware of the dock updated to the current version; not seen again within **three days**.',
    },
    'new-trainee': {
      ...dave,
      ...opened(-4, '11:18'),
      subject: 'New trainee starts on the first',
      message:
        'Laptop, mailbox and access to the case files of team B, please. Name and start date are on the form I sent to your portal.',
      service: 'managed-workplace',
      status: 'Open',
      tags: ['joiner'],
      minutesSpent: 15,
    },
    'restore-folder': {
      ...dave,
      ...opened(-11, '16:55'),
      subject: 'A folder was deleted by mistake',
      message:
        'The folder "2019 settled" is gone from the file server. It was there last Thursday.',
      service: 'backup-disaster-recovery',
      status: 'Resolved',
      priority: 'High',
      closedAt: at(-11, '18:10'),
      minutesSpent: 60,
      billable: false,
      tags: ['restore'],
      resolution:
        'Restored from the copy of Thursday night, 1,204 files, **48 minutes** from your call to the last file.',
    },
    'report-quarter': {
      ...dave,
      ...opened(-8, '09:00'),
      subject: 'Figures for our partners’ meeting',
      contactType: 'Report',
      message:
        'Could you send the quarterly report a week earlier this time? The partners meet on the tenth.',
      service: 'managed-workplace',
      status: 'Waiting for client',
      minutesSpent: 20,
    },
    'plant-vlan': {
      ...marcin,
      ...opened(-15, '07:45'),
      subject: 'Network for the new labelling machine',
      message:
        'The labelling machine arrives in week three. It needs an address in the plant network and must reach the database, nothing else.',
      service: 'server-network-care',
      status: 'Open',
      tags: ['plant', 'change board'],
      minutesSpent: 150,
      billable: true,
      internalNotes: 'Change board on Tuesday; rule set attached to the change.',
    },
    'switch-replacement': {
      ...marcin,
      ...opened(-6, '12:30'),
      subject: 'Replace the switch that is out of warranty',
      message: 'Please quote for the replacement of gf-sw-11, with installation on a Sunday.',
      service: 'server-network-care',
      status: 'Waiting for client',
      priority: 'Low',
      minutesSpent: 30,
      tags: ['offer', 'hardware'],
    },
    'suspicious-invoice': {
      fullName: 'Aoife Tierney',
      email: 'aoife.tierney@glenmore-foods.example.com',
      contact: 'aoife',
      organisation: 'glenmore',
      ...opened(-5, '10:41'),
      subject: 'Invoice with a new bank account',
      contactType: 'Report',
      message:
        'A supplier we know asks us to pay to a new account. The address looks right, the tone does not. I have not answered.',
      service: 'managed-detection-response',
      status: 'Resolved',
      priority: 'Urgent',
      closedAt: at(-5, '12:05'),
      minutesSpent: 85,
      tags: ['phishing'],
      resolution:
        'A forgery from a look-alike domain. Blocked for everyone, and the supplier has been told by telephone.',
      internalNotes: 'See the incident of the same day.',
    },
    'card-reader': {
      fullName: 'Jonas Petersohn',
      email: 'jonas@westquay-dental.example.com',
      contact: 'jonas',
      organisation: 'westquay',
      ...opened(-18, '08:05'),
      subject: 'Card reader at reception is not found',
      message:
        'After the update on Tuesday the practice software does not find the card reader at the reception desk.',
      service: 'managed-workplace',
      status: 'Closed',
      priority: 'Urgent',
      closedAt: at(-18, '09:20'),
      minutesSpent: 45,
      resolution:
        'Driver set back to the previous version and held there until the vendor has a new one.',
    },
    'holiday-accounts': {
      fullName: 'Siobhán Markey',
      email: 'smarkey@st-brendans.example.com',
      contact: 'siobhan',
      organisation: 'brendan',
      ...opened(-12, '14:20'),
      subject: 'Accounts of pupils who have left',
      message:
        'The list of leavers is final. Please remove their accounts, but keep the shared project folders.',
      service: 'workspace-administration',
      status: 'Resolved',
      closedAt: at(-10, '15:00'),
      minutesSpent: 70,
      tags: ['leaver'],
      resolution:
        '61 accounts removed, 14 project folders handed over to the teachers on your list.',
    },
    'pipeline-slow': {
      fullName: 'Hannah Orr',
      email: 'hannah.orr@kestrel-outdoor.example.com',
      contact: 'hannah',
      organisation: 'kestrel',
      ...opened(-3, '13:15'),
      subject: 'Releases take half an hour again',
      message:
        'Until last week a release took eight minutes. Now it is closer to thirty. Nothing changed on our side that I know of.',
      service: 'cloud-devops-engineering',
      status: 'Open',
      tags: ['pipeline'],
      minutesSpent: 95,
      billable: true,
      internalNotes: 'The build cache is no longer found since the runner image was renewed.',
    },
    'harbour-enquiry': {
      fullName: 'Pieter Vroom',
      email: 'p.vroom@tidewater-harbour.example.com',
      contact: 'pieter',
      organisation: 'tidewater',
      ...opened(-9, '11:50'),
      subject: 'Before our tender',
      message:
        'We are preparing a tender for detection and response. Which figures do you need from us to name a price that holds?',
      service: 'managed-detection-response',
      status: 'Waiting for client',
      tags: ['offer'],
      minutesSpent: 50,
    },
  }

  const client = (name: string) => ({ fromStaff: false, authorName: name })
  const staff = { fromStaff: true, authorName: site }

  const messages: Samples = {
    'offer-for-studio-1': {
      ...staff,
      ticket: 'offer-for-studio',
      createdAt: at(-18, '10:05'),
      body: 'Thank you for asking. Which drawing software do you use, and do its licences belong to the people or to the machines? It decides between two of our packages.',
    },
    'offer-for-studio-2': {
      ...client('Bob Client'),
      ticket: 'offer-for-studio',
      createdAt: at(-17, '16:20'),
      body: 'Two of us have licences of their own, the other three share one. We would like to change that anyway.',
    },
    'offer-for-studio-note': {
      ...staff,
      ticket: 'offer-for-studio',
      createdAt: at(-17, '17:00'),
      body: 'Three new licences in the offer. Ask the vendor about the price for small studios.',
      internal: true,
    },
    'offer-for-studio-3': {
      ...staff,
      ticket: 'offer-for-studio',
      createdAt: at(-16, '09:30'),
      body: 'The offer is on its way by post. The move itself takes one day for five people, best on a Friday. Tell us which one suits you.',
    },
    'scanner-1': {
      ...staff,
      ticket: 'scanner-to-mail',
      createdAt: at(-1, '08:50'),
      body: 'We switched an old mail protocol off last night, and the scanner still speaks it. We are setting it up again; you don’t need to do anything.',
      setsStatus: 'Open',
    },
    'scanner-2': {
      ...client('Carol Byrne'),
      ticket: 'scanner-to-mail',
      createdAt: at(-1, '09:02'),
      body: 'Good to know. The one on the first floor has the same message, by the way.',
    },
    'second-screen-1': {
      ...staff,
      ticket: 'second-screen',
      createdAt: at(-26, '11:40'),
      body: 'The dock has new firmware since this morning. Please watch it for a few days.',
    },
    'second-screen-2': {
      ...client('Carol Byrne'),
      ticket: 'second-screen',
      createdAt: at(-24, '13:30'),
      body: 'Not seen again. Thank you!',
      setsStatus: 'Closed',
    },
    'report-quarter-1': {
      ...staff,
      ticket: 'report-quarter',
      createdAt: at(-7, '10:15'),
      body: 'Yes, on the third. Shall it show the whole quarter, or end with the last full month?',
    },
  }

  const incidents: Samples = {
    'forged-invoice': {
      title: 'Forged invoice from a look-alike domain',
      organisation: 'glenmore',
      kind: 'Phishing',
      severity: 'Medium',
      status: 'Closed',
      detectedAt: at(-5, '10:41'),
      containedAt: at(-5, '11:05'),
      resolvedAt: at(-5, '12:05'),
      reportedBy: 'aoife',
      summary:
        'An invoice asked for payment to a new account. Sent from a domain that differs from the supplier’s in one letter; three people received it, nobody paid.',
      actions:
        'Domain blocked, mails withdrawn from the three mailboxes, supplier informed by telephone.',
    },
    'firewall-advisory': {
      title: 'Vulnerability in the firmware of the firewalls',
      organisation: 'harbour',
      kind: 'Vulnerability',
      severity: 'High',
      cvss: 8.1,
      status: 'Resolved',
      detectedAt: at(-22, '06:30'),
      containedAt: at(-22, '09:10'),
      resolvedAt: at(-20, '21:40'),
      asset: 'hl-fw-01',
      summary:
        'The manufacturer published a vulnerability in the management page. It was reachable from the office network only; **no sign of use** in the logs.',
      actions:
        'Management page limited to our own addresses within three hours, new firmware in the next window.',
      referenceUrl: 'https://advisories.example.com/2026-0142',
    },
    'stolen-phone': {
      title: 'Phone lost on a train',
      organisation: 'kestrel',
      kind: 'Data loss',
      severity: 'Medium',
      status: 'Contained',
      detectedAt: at(-2, '07:50'),
      containedAt: at(-2, '08:15'),
      asset: 'ko-ph-03',
      reportedBy: 'hannah',
      summary:
        'A telephone with company mail was left on a train. It was locked and encrypted; the command to wipe it was confirmed at 08:15.',
      actions: 'Sessions ended, password changed. Waiting for the lost property office.',
    },
    'mailbox-access': {
      title: 'Sign-in to a mailbox from abroad',
      organisation: 'harbour',
      kind: 'Unauthorised access',
      severity: 'Critical',
      cvss: 7.4,
      status: 'Closed',
      detectedAt: at(-63, '22:18'),
      containedAt: at(-63, '22:31'),
      resolvedAt: at(-61, '16:00'),
      reportedBy: 'dave',
      summary:
        'Someone signed in to a mailbox with a password from an old leak. The session lived for **13 minutes**; 40 messages were opened.',
      actions:
        'Sessions ended, multi-factor sign-in made compulsory for the last four accounts, messages listed for the client.',
      personalDataBreach: true,
      notifiedAt: at(-62, '11:00'),
    },
    'open-share': {
      title: 'Shared folder open to everybody with the link',
      organisation: 'brendan',
      kind: 'Misconfiguration',
      severity: 'Low',
      status: 'Closed',
      detectedAt: at(-37, '13:00'),
      containedAt: at(-37, '13:20'),
      resolvedAt: at(-36, '10:00'),
      reportedBy: 'ruairi',
      summary:
        'A folder with worksheets could be read by anybody who had the link. It held no personal data.',
      actions: 'Link withdrawn; sharing outside now needs the approval of a group owner.',
    },
    'database-outage': {
      title: 'Packing line without its database',
      organisation: 'glenmore',
      kind: 'Outage',
      severity: 'High',
      status: 'Resolved',
      detectedAt: at(-46, '01:12'),
      containedAt: at(-46, '01:55'),
      resolvedAt: at(-46, '02:20'),
      asset: 'gf-db-01',
      reportedBy: 'aoife',
      summary:
        'A full disk stopped the database for 68 minutes during the late shift. The line ran on paper labels in the meantime.',
      actions:
        'Old logs moved away, alert threshold lowered from 95 % to 80 %, disk enlarged in the next window.',
    },
  }

  const published = (offset: number, time: string) => ({
    published: true,
    publishedAt: at(offset, time),
  })
  const articles: Samples = {
    'window-firewalls': {
      ...published(toSunday - 8, '09:00'),
      title: 'Maintenance: firewalls on Sunday morning',
      slug: 'maintenance-firewalls',
      kind: 'Maintenance',
      summary:
        'New firmware on all firewalls in our care. Expect two interruptions of about five minutes each.',
      body: `On Sunday ${inWords(day(toSunday))}, from 06:00 to 08:00, we install new firmware on the firewalls in our care.

## What you will notice
Two interruptions of the internet connection of about five minutes each. Telephones over the internet are affected as well.

## What you need to do
Nothing: you have agreed to this window. If something does not work on Monday morning, open a ticket and mention this window.`,
      service: 'server-network-care',
      startsAt: at(toSunday, '06:00'),
      expiresOn: day(toSunday + 2),
      pinned: true,
      tags: ['network'],
    },
    'advisory-mail': {
      ...published(-8, '15:30'),
      title: 'Advisory: invoices with a new bank account',
      slug: 'advisory-forged-invoices',
      kind: 'Advisory',
      summary:
        'Forged invoices that look like those of known suppliers are going round. How to check one in two minutes.',
      body: `Several clients have received invoices that name a new bank account. The sender's domain differs from the real one in a single letter.

## How to check
1. Read the domain of the sender letter by letter.
2. Telephone the supplier, with the number you already had.
3. Report the mail to us; do not answer it.

A request to pay elsewhere is never urgent enough to skip the call.`,
      service: 'managed-detection-response',
      tags: ['phishing', 'mail'],
      sourceUrl: 'https://advisories.example.com/invoice-fraud',
    },
    'old-protocols': {
      ...published(-16, '10:00'),
      title: 'We’re switching off legacy mail sign-in',
      slug: 'old-mail-protocols',
      kind: 'Announcement',
      summary:
        'Scanners and programs that sign in to mail with a plain password stop working. What to check beforehand.',
      body: `Signing in to mail with nothing but a password is a common way in for attackers, so it ends on ${inWords(day(30))}.

## Who is affected
Scanners that send mail, old mail programs, and a few telephones.

## What we do
We have listed the devices in our care and will move them to the relay. For devices you look after yourselves, open a ticket with the model's name.`,
      service: 'workspace-administration',
      tags: ['mail'],
    },
    'guide-passkeys': {
      ...published(-44, '08:30'),
      title: 'Guide: signing in with a passkey',
      slug: 'guide-passkeys',
      kind: 'Guide',
      summary:
        'No password to type, nothing to steal: how to set up a passkey on your laptop and telephone.',
      body: `A passkey stays on your device and signs in with your fingerprint, face or PIN.

## Set it up
1. Open *Security* in your account.
2. Choose *Add passkey* and follow your device.
3. Add a second one on your telephone, so that a lost laptop does not lock you out.

Your password keeps working until we switch it off together.`,
      tags: ['sign-in', 'how-to'],
    },
    'guide-restore': {
      ...published(-70, '08:30'),
      title: 'Guide: getting a deleted file back',
      slug: 'guide-restore-a-file',
      kind: 'Guide',
      summary:
        'The bin first, then the previous versions, then us. What to write into the ticket so that it goes quickly.',
      body: `Most files are back within a minute, without a ticket.

## In this order
1. Look into the bin of the folder.
2. Right-click the folder and choose *Previous versions*.
3. Open a ticket with the name of the file, its folder, and the last day you saw it.

We restore beside the original and never over it.`,
      service: 'backup-disaster-recovery',
      tags: ['backup', 'how-to'],
    },
    'holiday-hours': {
      ...published(-2, '12:00'),
      title: 'Opening hours over the holidays',
      slug: 'holiday-hours',
      kind: 'Announcement',
      summary: 'The help desk closes earlier on two days. Emergencies are answered as always.',
      body: `The help desk is open until 13:00 on the last two working days before the holidays. Contracts with 24x7 cover are not affected, and the number for emergencies is answered as always.`,
      expiresOn: day(45),
      tags: ['help desk'],
    },
    'restore-figures': {
      ...published(-25, '09:15'),
      title: 'Restore tests last quarter: 31 run, 2 failed, what changed',
      slug: 'restore-drills-last-quarter',
      kind: 'Announcement',
      summary: 'Thirty-one drills, two surprises, and what we have changed since.',
      body: `We restored something from every backup in our care: 31 drills in one quarter.

| | Promised | Measured |
|---|--:|--:|
| Single folder | 4 h | 52 min |
| Mailbox | 8 h | 1 h 40 min |
| Whole server | 8 h | 5 h 15 min |

Two drills failed at the first attempt, both because a password had been changed and not recorded. It is now checked every week.`,
      service: 'backup-disaster-recovery',
      tags: ['backup', 'figures'],
    },
    'guide-incident': {
      title: 'Guide: the first hour of an incident',
      slug: 'guide-first-hour',
      kind: 'Guide',
      summary: 'Whom to call, what to leave switched on, and what not to touch.',
      body: `*Draft, waiting for the review of the retainer team.*

## Do
- Call the number on the card, whatever the hour.
- Disconnect the device from the network, and leave it switched on.
- Write down what you saw and when.

## Do not
- Do not delete anything, and do not pay anybody.`,
      service: 'incident-response-retainer',
      published: false,
      tags: ['incident', 'how-to'],
    },
  }

  return { tickets, messages, incidents, articles }
}

const inWords = (day: string) =>
  new Intl.DateTimeFormat('en-IE', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  )
