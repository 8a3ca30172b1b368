import type { RowScope } from '#model.ts'
import type { ModelPrivacy } from '#privacy.ts'

/*
 * For tests only: the tables of the design, copied by hand and not from the models, so that a slip in a model shows.
 * access: list, get, create, update, delete as P(ublic), U(ser), A(dmin).
 * A line: name, type (→ target, ! required), unique, =default, who writes it (nobody named: the form; `server` from the
 * token for everyone but admins; `staff`: only admins write; `admin`: only admins see), then np or
 * category/purposes/erase, and freeText.
 */
type Table = {
  display: string
  access: string
  scope: RowScope | null
  subject: ModelPrivacy['subject']
  retention?: ModelPrivacy['retention']
  role?: ModelPrivacy['role']
  fields: string
}

export const TABLES: Record<string, Table> = {
  organisations: {
    display: 'name',
    access: 'UUAAA',
    scope: { org: 'id' },
    subject: { email: 'billingEmail' },
    retention: 'relationship',
    fields: `
      name           text!                             np
      soleTrader     boolean   =false                  np
      industry       select    =Other                  np
      website        url                               np
      phone          tel                               contact/delivery/null
      billingEmail   email                             contact/delivery+records/null
      addressLine    text                              contact/delivery+records/null
      city           text                              contact/delivery+records/null
      postcode       text                              contact/delivery+records/null
      country        select!   =@site.country          np
      vatNumber      text                              contract/records/null
      employees      integer                           np
      slaTier        select!   =None                   np
      relationship   select    system                  np
      lastContactOn  date      =@today system          np
      notes          textarea  admin                   communication/delivery/null/freeText`,
  },
  contacts: {
    display: 'fullName',
    access: 'UUAAA',
    scope: { owner: 'userSub', orgManagers: 'organisation' },
    subject: { email: 'email' },
    retention: 'relationship',
    fields: `
      fullName          text!                          identity/enquiries+delivery/row
      email             email! unique                  contact/enquiries+delivery/row
      phone             tel                            contact/enquiries+delivery/row
      jobTitle          text                           employment/delivery/row
      organisation      relation→organisations         employment/delivery/unlink
      portalRole        select! =none                  account/account/row
      userSub           text system                    account/account/row
      preferredChannel  select                         preference/delivery/row
      languages         multiselect                    preference/delivery/row
      active            boolean =true                  np
      lastContactOn     date system                    communication/enquiries/row
      notes             textarea admin                 communication/delivery/row/freeText`,
  },
  services: {
    display: 'name',
    access: 'PPAAA',
    scope: null,
    subject: 'none',
    fields: `
      name           text!                             np
      slug           text! unique                      np
      category       select!                           np
      icon           select                            np
      summary        text!                             np
      description    markdown!                         np
      includes       multiselect                       np
      priceFrom      decimal                           np
      currency       select =@site.currency            np
      billingPeriod  select =monthly                   np
      priceUnit      select =flat                      np
      responseHours  integer                           np
      docsUrl        url                               np
      published      boolean =false                    np
      sortOrder      integer =100                      np
      internalCost   decimal admin                     np`,
  },
  contracts: {
    display: 'reference',
    access: 'UUAAA',
    scope: { orgManagers: 'organisation' },
    subject: { email: 'signatoryEmail' },
    retention: 'customer',
    fields: `
      reference       text! unique                     np
      organisation    relation→organisations!          np
      service         relation→services!               np
      startOn         date!                            np
      endOn           date                             np
      terminatedOn    date                             np
      autoRenew       boolean =false                   np
      noticeDays      integer =30                      np
      monthlyFee      decimal                          np
      currency        select                           np
      documentUrl     url                              np
      terms           markdown                         np
      status          select system                    np
      signatoryName   text                             identity/records/redact
      signatoryEmail  email                            contact/records/null`,
  },
  tickets: {
    display: 'subject',
    access: 'UUUAA',
    scope: { owner: 'clientId', orgManagers: 'organisation' },
    subject: { email: 'email' },
    retention: 'relationship',
    fields: `
      number         integer system                    np
      fullName       text!                             identity/enquiries+delivery/pseudonym
      email          email!                            contact/enquiries+delivery/null
      subject        text!                             communication/enquiries+delivery/redact/freeText
      contactType    select! =Query                    np
      message        textarea!                         communication/enquiries+delivery/redact/freeText
      clientId       text server                       account/enquiries+delivery/null
      clientName     text server                       identity/enquiries+delivery/pseudonym
      contact        relation→contacts server          employment/enquiries+delivery/unlink
      organisation   relation→organisations server     employment/enquiries+delivery/unlink
      service        relation→services staff           np
      status         select =New staff                 np
      priority       select =Normal staff              np
      callbackAt     datetime staff                    np
      openedAt       datetime system                   np
      dueAt          datetime system                   np
      closedAt       datetime system                   np
      lastContactAt  datetime system                   communication/enquiries+delivery/null
      minutesSpent   integer =0 staff                  np
      billable       boolean =false staff              np
      tags           multiselect staff                 np
      resolution     markdown staff                    communication/enquiries+delivery/redact/freeText
      internalNotes  textarea admin                    communication/enquiries+delivery/null/freeText`,
  },
  messages: {
    display: 'body',
    access: 'UUUAA',
    scope: { via: 'ticket' },
    subject: { via: 'ticket' },
    retention: 'relationship',
    fields: `
      ticket         relation→tickets!                 np
      body           textarea!                         communication/enquiries+delivery/redact/freeText
      setsStatus     select system                     np
      internal       boolean =false admin              np
      fromStaff      boolean system                    np
      authorName     text system                       identity/enquiries+delivery/pseudonym`,
  },
  assets: {
    display: 'name',
    access: 'UUAAA',
    scope: { org: 'organisation' },
    subject: { via: 'assignedTo' },
    retention: 'relationship',
    role: 'processor',
    fields: `
      name           text!                             np
      assetTag       text                              np
      kind           select!                           np
      organisation   relation→organisations!           np
      assignedTo     relation→contacts                 device/delivery+security/unlink
      serialNumber   text                              np
      os             text                              np
      purchasedOn    date                              np
      warrantyUntil  date                              np
      lastSeenAt     datetime                          np
      managed        boolean =true                     np
      tags           multiselect                       np
      vendorUrl      url                               np
      purchasePrice  decimal admin                     np
      notes          textarea                          communication/delivery+security/null/freeText`,
  },
  incidents: {
    display: 'title',
    access: 'UUAAA',
    scope: { org: 'organisation' },
    subject: { via: 'reportedBy' },
    retention: 'relationship',
    role: 'processor',
    fields: `
      title               text!                        np
      organisation        relation→organisations!      np
      kind                select!                      np
      severity            select! =Medium              np
      cvss                decimal                      np
      status              select                       np
      detectedAt          datetime!                    np
      containedAt         datetime                     np
      resolvedAt          datetime                     np
      asset               relation→assets              np
      reportedBy          relation→contacts            security/security/unlink
      summary             markdown!                    security/delivery+security/redact/freeText
      actions             markdown admin               communication/delivery+security/null/freeText
      referenceUrl        url                          np
      personalDataBreach  boolean =false               np
      notifyBy            datetime system              np
      notifiedAt          datetime                     np`,
  },
  articles: {
    display: 'title',
    access: 'PPAAA',
    scope: null,
    subject: 'none',
    fields: `
      title        text!                               np
      slug         text!                               np
      kind         select!                             np
      summary      text                                np
      body         markdown!                           np
      service      relation→services                   np
      startsAt     datetime                            np
      expiresOn    date                                np
      pinned       boolean                             np
      published    boolean =false                      np
      publishedAt  datetime                            np
      tags         multiselect                         np
      sourceUrl    url                                 np`,
  },
  accounts: {
    display: 'name',
    access: 'AAAAA',
    scope: null,
    subject: { sub: 'sub' },
    retention: 'relationship',
    fields: `
      sub            text system                       account/account/row
      email          email system                      contact/account/row
      emailVerified  boolean system                    account/account/row
      name           text system                       identity/account/row
      firstSeenAt    datetime system                   account/account/row
      lastSeenOn     date system                       account/account/row
      link           select                            account/account/row`,
  },
  privacyrequests: {
    display: 'reference',
    access: 'AAAAA',
    scope: null,
    subject: { email: 'email' },
    retention: 'prospect',
    fields: `
      reference        text system                     np
      kind             select system                   np
      status           select                          np
      outcome          select                          np
      name             text system                     identity/rights/null
      email            email system                    contact/rights/null
      message          textarea system                 communication/rights/null/freeText
      receivedAt       datetime system                 np
      dueOn            date system                     np
      verifiedAt       datetime system                 np
      extendedTo       date                            np
      extensionReason  select                          np`,
  },
}

/** Where the models say more than the tables, on purpose. */
export const BEYOND: Record<string, { required?: true; default?: string; unique?: true }> = {
  // One account is the link of at most one contact, or the organisation of a person would be a matter of luck.
  'contacts.userSub': { unique: true },
  // The term of a prospect counts from here: a contact without a date would never expire.
  'contacts.lastContactOn': { default: '@today' },
  // A fee without a currency says nothing.
  'contracts.currency': { default: '@site.currency' },
  'tickets.number': { unique: true },
  // The server fills these in when a ticket begins.
  'tickets.openedAt': { default: '@now' },
  'tickets.lastContactAt': { default: '@now' },
  'incidents.status': { default: 'New' },
  // An article has an address, like a service.
  'articles.slug': { unique: true },
  'articles.pinned': { default: 'false' },
  'accounts.sub': { unique: true },
  'accounts.link': { required: true, default: 'none' },
  'privacyrequests.reference': { unique: true },
  'privacyrequests.status': { required: true, default: 'received' },
  'privacyrequests.receivedAt': { default: '@now' },
}

/** The choices, where the tables list them. */
export const OPTIONS: Record<string, string> = {
  'organisations.industry':
    'Professional services, Manufacturing, Retail, Health, Education, Public sector, Other',
  'organisations.slaTier': 'None, Standard, Priority, 24x7',
  'organisations.relationship': 'prospect, client, former',
  'contacts.portalRole': 'none, viewer, manager',
  'contacts.preferredChannel': 'Email, Phone, Portal',
  'services.category': 'Managed IT, Cybersecurity, Cloud & DevOps, Advisory',
  'services.billingPeriod': 'one-off, monthly, annual, on request',
  'services.priceUnit': 'user, device, server, day, flat',
  'contracts.status': 'draft, active, ended',
  'tickets.contactType': 'Query, Callback, Report',
  'tickets.status': 'New, Open, Waiting for client, Resolved, Closed',
  'messages.setsStatus': 'Open, Closed',
  'tickets.priority': 'Low, Normal, High, Urgent',
  'assets.kind':
    'Laptop, Workstation, Server, Firewall, Switch, Access point, Phone, Cloud resource, Licence',
  'incidents.kind':
    'Phishing, Malware, Unauthorised access, Data loss, Outage, Vulnerability, Misconfiguration',
  'incidents.severity': 'Low, Medium, High, Critical',
  'incidents.status': 'New, Triage, Contained, Resolved, Closed',
  'articles.kind': 'Announcement, Maintenance, Advisory, Guide',
  'accounts.link': 'none, asked, approved, refused',
  'privacyrequests.kind': 'access, deletion, complaint, other',
  'privacyrequests.status': 'received, awaiting_verification, open, in_progress, ready, closed',
  'privacyrequests.outcome':
    'fulfilled, partially_fulfilled, no_data, refused, withdrawn, unverified',
}
