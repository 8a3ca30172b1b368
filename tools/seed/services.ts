import type { Samples } from './samples.ts'

const EUR = { currency: 'EUR', published: true }

/** Prices are placeholders. */
export const services: Samples = {
  'managed-workplace': {
    ...EUR,
    name: 'Managed Workplace',
    slug: 'managed-workplace',
    category: 'Managed IT',
    icon: 'laptop',
    summary:
      'Laptops, phones and accounts set up, patched, protected and supported by one team, at a fixed price per person and month.',
    description: `Your people get a device that works on their first morning and a help desk that answers. We enrol every laptop and phone, keep the operating system and the common applications up to date, encrypt the disks, and look after the accounts behind them.

## What it covers
- Joiners, movers and leavers: account, device and access ready on the agreed day
- Updates tested on a pilot group first, then rolled out in rings
- Endpoint protection with alerts handled by us
- Remote support on working days, 08:00 to 18:00
- A quarterly report: age of devices, patch level, requests and how long they took

## What it does not cover
The price of hardware and licences, on-site visits outside the office named in the contract, and applications only your business uses: we keep the machine under them healthy and pass the rest on to their vendor.

## Response
First response within 8 working hours, within 2 hours when someone can’t work at all.`,
    includes: ['Help desk', 'Patching', 'Device encryption', 'Endpoint protection', 'Onboarding'],
    priceFrom: 49,
    billingPeriod: 'monthly',
    priceUnit: 'user',
    responseHours: 8,
    termMonths: 12,
    noticeDays: 90,
    sortOrder: 10,
    internalCost: 27.5,
  },
  'server-network-care': {
    ...EUR,
    name: 'Server & Network Care',
    slug: 'server-network-care',
    category: 'Managed IT',
    icon: 'hdd-network',
    summary:
      'Servers, firewalls, switches and wireless watched around the clock, maintained on a schedule, documented, and repaired when they fail.',
    description: `The parts nobody sees until they stop. We monitor every server and network device you name, keep its firmware and operating system current, and hold the documentation that lets any engineer of ours take over at night.

## What it covers
- Monitoring of availability, capacity, temperature and certificates
- A maintenance window each month, announced a week ahead
- Configuration backups of firewalls and switches, with every change on record
- Capacity planning: what will be full, and when
- Repair or replacement together with the manufacturer, under your warranty

## What it does not cover
Cabling, electrical work, spare parts out of warranty, and databases or applications on the servers beyond a restart. Moving to another site or another platform is a project with its own offer.

## Response
First response within 4 working hours; around the clock where the contract says 24x7. Planned work is never done without your agreement to the window.`,
    includes: [
      '24/7 monitoring',
      'Monthly maintenance',
      'Firmware updates',
      'Configuration backup',
      'Documentation',
    ],
    priceFrom: 85,
    billingPeriod: 'monthly',
    priceUnit: 'device',
    responseHours: 4,
    termMonths: 12,
    noticeDays: 90,
    sortOrder: 20,
    internalCost: 46,
  },
  'backup-disaster-recovery': {
    ...EUR,
    name: 'Backup & Disaster Recovery',
    slug: 'backup-disaster-recovery',
    category: 'Managed IT',
    icon: 'life-preserver',
    summary: 'Tamper-proof off-site backups, test-restored every quarter.',
    description: `A backup is worth what its last restore was worth. We back up servers, cloud mailboxes and files to two places, one of them immutable, and restore a sample every quarter to find out how long it really takes.

## What it covers
- A plan per system: how much may be lost, how long it may be down
- Daily copies, hourly for databases, encrypted before they leave your site
- An immutable copy with another provider, out of reach of an administrator account that was stolen
- A restore drill each quarter and a full recovery exercise each year
- A report with the measured times beside the promised ones

## What it does not cover
Data on devices that are not enrolled, archives you are obliged to keep for longer than the agreed retention, and the storage you use beyond the contract, which is charged by volume.

## Response
First response within 4 working hours. If you call, a restore begins within 4 hours, within 1 hour when a whole system is lost.`,
    includes: [
      'Off-site copy',
      'Immutable storage',
      'Quarterly restore drill',
      'Recovery plan',
      'Report',
    ],
    priceFrom: 120,
    billingPeriod: 'monthly',
    priceUnit: 'server',
    responseHours: 4,
    termMonths: 12,
    noticeDays: 90,
    sortOrder: 30,
    internalCost: 71,
  },
  'workspace-administration': {
    ...EUR,
    name: 'Microsoft 365 / Google Workspace Administration',
    slug: 'workspace-administration',
    category: 'Cloud & DevOps',
    icon: 'people',
    summary:
      'Mail, files and meetings run the way you decided: accounts, sharing, retention and sign-in rules set once and checked every month.',
    description: `Both suites come with a thousand switches, and most of them are left as they were delivered. We agree with you who may share what with whom, set it, and check every month that it is still so.

## What it covers
- Accounts, groups, shared mailboxes and licences, with unused ones reported
- Multi-factor sign-in for everyone, conditional access where the licence allows it
- Rules for sharing outside, retention and legal hold
- Protection of your domain in mail: SPF, DKIM and DMARC, with the reports read by us
- A monthly comparison of the settings with a published baseline

## What it does not cover
Licence fees, training courses, the migration from another system, and custom development on top of the suite; each of these has an offer of its own. Backups of mailboxes and files belong to Backup & Disaster Recovery.

## Response
First response within 8 working hours; a locked-out administrator or a suspected takeover within 1 hour.`,
    includes: [
      'Account lifecycle',
      'Multi-factor sign-in',
      'Sharing rules',
      'DMARC reports',
      'Licence review',
    ],
    priceFrom: 12,
    billingPeriod: 'monthly',
    priceUnit: 'user',
    responseHours: 8,
    termMonths: 1,
    noticeDays: 30,
    docsUrl: 'https://docs.example.test/workspace',
    sortOrder: 40,
    internalCost: 5.2,
  },
  'vulnerability-management': {
    ...EUR,
    name: 'Vulnerability Management',
    slug: 'vulnerability-management',
    category: 'Cybersecurity',
    icon: 'bug',
    summary:
      'Vulnerabilities found by scans inside and outside, ranked by what an attacker could do with them, and followed until they are closed.',
    description: `A list of ten thousand findings helps nobody. We scan what you own, look at what can be reached and what is being exploited in the wild, and hand you the few things that matter this week, with the name of the person who has to do them.

## What it covers
- An inventory of what answers on your addresses, compared week by week
- Scans with credentials inside, without them outside, each at least monthly
- Ranking by severity, reachability and known exploitation
- A ticket per finding with the fix, its deadline and a scan afterwards
- A quarterly meeting on the trend and on accepted risks, each with an owner and an end

## What it does not cover
The repair itself, unless the system is under one of our care contracts, penetration tests by people, and the review of source code; we are glad to name partners for both.

## Response
First response within 4 working hours. A vulnerability that is being exploited is reported within 4 hours of publication, everything else with the weekly list.`,
    includes: [
      'External scan',
      'Internal scan',
      'Ranking',
      'Follow-up tickets',
      'Quarterly review',
    ],
    priceFrom: 390,
    billingPeriod: 'monthly',
    priceUnit: 'flat',
    responseHours: 4,
    termMonths: 12,
    noticeDays: 90,
    sortOrder: 50,
    internalCost: 240,
  },
  'managed-detection-response': {
    ...EUR,
    name: 'Managed Detection & Response',
    slug: 'managed-detection-response',
    category: 'Cybersecurity',
    icon: 'shield-check',
    summary:
      'Signals from devices, accounts and network read by analysts day and night, who isolate first and then call you, within an hour.',
    description: `Attacks begin on a Friday evening. Sensors on your devices, sign-in logs and network flows are brought together in one place, and an analyst looks at what the rules can’t decide, at any hour.

## What it covers
- Sensors on every enrolled laptop and server, logs from your mail and identity provider
- Detection rules kept up to date and tested against known techniques
- Isolation of a device or an account within minutes, by rules you have signed
- A written account of every confirmed incident: what happened, what was touched, what was done
- A monthly report and a yearly exercise

## What it does not cover
Rebuilding systems after an attack, legal advice, and notifying authorities or the people concerned: we deliver the facts for it in time. Forensic work beyond two days is charged under the Incident Response Retainer.

## Response
First response to a question within 1 working hour. At any hour, an alert is looked at within 15 minutes; you are called within 1 hour when it is real.`,
    includes: [
      'Sensors',
      '24/7 analysts',
      'Isolation',
      'Incident report',
      'Yearly exercise',
      'Log retention',
    ],
    priceFrom: 18.5,
    billingPeriod: 'monthly',
    priceUnit: 'device',
    responseHours: 1,
    termMonths: 12,
    noticeDays: 90,
    sortOrder: 60,
    internalCost: 11.8,
  },
  'cloud-devops-engineering': {
    ...EUR,
    name: 'Cloud & DevOps Engineering',
    slug: 'cloud-devops-engineering',
    category: 'Cloud & DevOps',
    icon: 'cloud',
    summary:
      'Environments described as code, pipelines that test and release the same way every time, and a cloud bill that someone understands.',
    description: `We build the platform your software runs on, and leave it so that your own team can run it. Everything is in a repository of yours from the first day: networks, clusters, pipelines, alerts.

## What it covers
- A landing zone: accounts, networks, roles and budgets with sensible limits
- Infrastructure as code, reviewed like any other code
- Pipelines that build, test, scan and release, with a way back
- Observability: metrics, logs and traces, and alerts that mean something
- Cost reviews with what was saved, not what could be

## What it does not cover
Writing your application, the fees of the cloud provider, and being on call for what we have not built. Running the result day and night is possible, as a separate agreement.

## Response
Work is planned in two-week steps and billed by the day. Requests between the steps get a first response within 8 working hours.`,
    includes: [
      'Landing zone',
      'Infrastructure as code',
      'Pipelines',
      'Observability',
      'Cost review',
    ],
    priceFrom: 880,
    billingPeriod: 'one-off',
    priceUnit: 'day',
    responseHours: 8,
    docsUrl: 'https://docs.example.test/platform',
    sortOrder: 70,
    internalCost: 560,
  },
  'incident-response-retainer': {
    ...EUR,
    name: 'Incident Response Retainer',
    slug: 'incident-response-retainer',
    category: 'Advisory',
    icon: 'clipboard-check',
    summary: 'Responders who already know your network, on the phone within an hour.',
    description: `On the day it happens there is no time to compare offers. With a retainer the contract is signed, the contacts are known, the first steps are written down, and we have seen your network before.

## What it covers
- A readiness review at the start: logs, backups, contacts, who may decide what
- A number that is answered day and night by someone who can start straight away
- Twenty hours of response a year, at the agreed rate beyond that
- Evidence kept so that it stands up later
- A debriefing with the causes and what to change, in words a board can read

## What it does not cover
Paying or negotiating with attackers, press work, and the replacement of damaged systems. Legal questions stay with your counsel, whom we supply with facts and times.

## Response
First response to a question within 1 working hour. In an emergency, day and night: a call back within 1 hour, someone at work remotely within 4 hours, on site within a day. Hours left over may be used for an exercise.`,
    includes: ['Readiness review', '24/7 hotline', '20 hours included', 'Forensics', 'Debriefing'],
    priceFrom: 4200,
    billingPeriod: 'annual',
    priceUnit: 'flat',
    responseHours: 1,
    termMonths: 12,
    noticeDays: 90,
    sortOrder: 80,
    internalCost: 2600,
  },
}
