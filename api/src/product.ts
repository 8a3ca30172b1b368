import type { Access } from '@gatehouse/model'
import type { Product } from './app.ts'
import { accountBehaviour } from '#clients/accounts.ts'
import { contactBehaviour } from '#clients/contacts.ts'
import { contractBehaviour } from '#clients/contracts.ts'
import { identity } from '#clients/client-claims.ts'
import { meRoutes } from '#clients/me.ts'
import { clientPaths } from '#clients/openapi.ts'
import { organisationBehaviour } from '#clients/organisations.ts'
import { buildSignIns } from '#clients/sign-ins.ts'
import type { AnyBehaviour } from '#engine/compile-behaviours.ts'
import { mailPaths } from '#mail/openapi.ts'
import { buildStaffSync } from '#staff/provider-sync.ts'
import { staffMails } from '#staff/mails.ts'
import { staffPaths, sessionPaths } from '#staff/openapi.ts'
import { staffRoutes } from '#staff/routes.ts'
import { sessionRoutes } from '#staff/session-routes.ts'
import { buildSessionsSeen } from '#staff/sessions.ts'
import type { Directory } from '#platform/identity/directory.ts'
import { articleBehaviour } from '#pages/articles.ts'
import { privacyMails } from '#privacy/mails.ts'
import { privacyPaths } from '#privacy/openapi.ts'
import type { RenderInquiry } from '#privacy/request-form.ts'
import { privacyRoutes } from '#privacy/routes.ts'
import * as privacyTables from '#privacy/privacy-tables.ts'
import { newestOf, type NoticeVersion } from '#privacy/notice/versions.ts'
import { incidentBehaviour } from '#security/incidents.ts'
import { securityMailKinds } from '#security/mails.ts'
import * as securityTables from '#security/alert-tables.ts'
import { logPaths } from '#security/logs/openapi.ts'
import { logRoutes } from '#security/logs/routes.ts'
import { buildAssigning } from '#tickets/assign-clients.ts'
import { messageBehaviour } from '#tickets/messages.ts'
import { ticketBehaviour } from '#tickets/tickets.ts'

export type ProductOptions = {
  /** Every version of the notice, oldest first. */
  versions: NoticeVersion[]
  /** Renders response pages for forms posted without JavaScript; without it they get problems. */
  renderInquiry?: RenderInquiry
  behaviours?: AnyBehaviour[]
  /** Accounts at the identity provider; without it staff can't be changed from here. */
  directory?: Directory | null
}

export const BEHAVIOURS = [
  organisationBehaviour,
  contractBehaviour,
  contactBehaviour,
  accountBehaviour,
  ticketBehaviour,
  messageBehaviour,
  incidentBehaviour,
  articleBehaviour,
]

export const buildProduct = ({
  versions,
  renderInquiry,
  behaviours = BEHAVIOURS,
  directory = null,
}: ProductOptions): Product => ({
  ...DEFINED,
  behaviours,
  paths: productPaths,
  noticeVersion: newestOf(versions).version,
  directory,
  staffSync: buildStaffSync,
  assigning: buildAssigning,
  mails: Object.assign(
    {},
    privacyMails,
    staffMails,
    securityMailKinds,
    ...behaviours.map(({ mails }) => mails),
  ),
  recordSignIn: buildSignIns,
  noteSession: buildSessionsSeen,
  routes: (app, { engine, config, limits }) => {
    privacyRoutes(app, {
      engine,
      config,
      versions,
      limits,
      renderInquiry: renderInquiry ?? null,
    })
    meRoutes(app, engine)
    staffRoutes(app, { engine, limits })
    logRoutes(app, engine)
    sessionRoutes(app, { engine, limits })
  },
})

export const productPaths = (level: Access) => ({
  ...clientPaths(level),
  ...privacyPaths,
  ...mailPaths(level),
  ...staffPaths(level),
  ...logPaths(level),
  ...sessionPaths(level),
})

export const PRODUCT_TABLES = { ...privacyTables, ...securityTables }

export const DEFINED = { identity, tables: PRODUCT_TABLES, behaviours: BEHAVIOURS }
