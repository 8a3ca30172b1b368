import { assets, contacts, kitchensink, models, organisations } from '@gatehouse/model/models'
import { readVersions } from '#privacy/notice/versions.ts'
import { buildProduct, PRODUCT_TABLES } from '#product.ts'
import type { TestModelSet } from './fixture.ts'

export const fixture: TestModelSet = {
  name: 'product',
  models: [...models, kitchensink],
  migrated: models,
  tables: PRODUCT_TABLES,
  buildProduct: (options) => buildProduct({ versions: readVersions(), ...options }),
  prepare: null,
  sink: kitchensink,
  group: organisations,
  inGroup: 'organisation',
  groupValues: { country: 'IE', sla_tier: 'None' },
  join: (database, sub, id) =>
    database.sql(
      `insert into contacts (id, full_name, email, portal_role, active, user_sub, organisation)
        values (gen_random_uuid(), 'Someone', $1 || '@example.test', 'manager', true, $1, $2)`,
      [sub, id],
    ),
  leave: (database, sub) => database.sql('delete from contacts where user_sub = $1', [sub]),
  counted: 'employees',
  needing: { model: assets, field: 'organisation' },
  linking: { model: assets, field: 'assignedTo', to: contacts },
  unique: { model: contacts, field: 'email' },
  story: {
    path: 'tickets',
    body: { fullName: 'Alice', email: 'a@example.test', subject: 'VPN', message: 'Slow' },
    change: { status: 'Resolved', internalNotes: 'Router was old', priority: 'High' },
    shown: { field: 'status', before: 'New', after: 'Resolved' },
    hidden: 'Router was old',
  },
}
