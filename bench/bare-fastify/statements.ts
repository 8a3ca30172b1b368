/** One statement per response, with labels and total; like ours, a relation is null if its target isn't visible. */
const PERSON = `t.id, t.number, t.full_name as "fullName", t.email, t.phone, t.callback_wish as "callbackWish",
  t.subject, t.contact_type as "contactType"`
const CLIENT = `t.client_id as "clientId", t.client_name as "clientName", c.id as contact, o.id as organisation`
const PLACE = `${CLIENT}, s.id as service`
/** Staff see one more column. */
const STAFF_PLACE = `${CLIENT}, t.contact_differs as "contactDiffers", s.id as service`
const STATE = `t.status, t.priority, t.callback_at as "callbackAt", t.opened_at as "openedAt", t.due_at as "dueAt",
  t.closed_at as "closedAt", t.last_contact_at as "lastContactAt", t.minutes_spent as "minutesSpent", t.billable, t.tags`
const END = `null as labels, t.version, t.created_at as "createdAt", t.updated_at as "updatedAt", t.sample, o.name as "organisationLabel"`
const LABELS = `${END}, c.full_name as "contactLabel", s.name as "serviceLabel"`
const LISTED = `${PERSON}, t.attachments, ${PLACE}, ${STATE}, ${LABELS}`
const STAFF_LISTED = `${PERSON}, t.attachments, ${STAFF_PLACE}, ${STATE}, ${LABELS}`
const OWN = `${PERSON}, t.message, t.attachments, ${PLACE}, ${STATE}, t.resolution, ${LABELS}`
const WHOLE = `${PERSON}, t.message, t.attachments, ${STAFF_PLACE}, ${STATE}, t.resolution, t.internal_notes as "internalNotes", ${LABELS}`
const ASSET = `t.id, t.name, t.asset_tag as "assetTag", t.kind, o.id as organisation, c.id as "assignedTo", t.serial_number as "serialNumber",
  t.os, t.purchased_on as "purchasedOn", t.warranty_until as "warrantyUntil", t.last_seen_at as "lastSeenAt", t.managed, t.tags,
  t.vendor_url as "vendorUrl", t.purchase_price as "purchasePrice", t.notes, ${END}, c.full_name as "assignedToLabel"`
const SERVICE = `left join services s on s.id = t.service and s.deleted_at is null`
const PUBLISHED = `${SERVICE} and s.restricted_at is null and s.published`
const CONTACT = `left join contacts c on c.id = t.contact and c.deleted_at is null`
const ORGANISATION = `left join organisations o on o.id = t.organisation and o.deleted_at is null`
/** $1 is the caller, $2 a manager's organisation. */
const ADMINS = `${CONTACT} ${ORGANISATION} ${SERVICE}`
const OWNERS = `${CONTACT} and c.restricted_at is null and c.user_sub = $1 left join organisations o on false ${PUBLISHED}`
const MANAGERS = `${CONTACT} and c.restricted_at is null and (c.user_sub = $1 or c.organisation = $2)
  ${ORGANISATION} and o.restricted_at is null and o.id = $2 ${PUBLISHED}`
const OF_ASSET = `${ORGANISATION} left join contacts c on c.id = t.assigned_to and c.deleted_at is null`
const OPEN = `deleted_at is null and restricted_at is null`
/** As a range: only the index that starts with the owner has this order. */
const walk = (column: string, owner: string) => `(select * from tickets
  where ${column} <= ${owner} and ${column} >= ${owner} and ${OPEN} order by ${column} desc, id desc limit 26)`
const found = (where: string) => `(select id from tickets where ${where} limit 1001)`
const [MINE, OURS] = [found(`client_id = $1 and ${OPEN}`), found(`organisation = $2 and ${OPEN}`)]
const CHANGED = `version = version + 1, updated_at = now()`
const SAVED = `${CHANGED} where id = $1 and deleted_at is null returning *`
const reply = (
  status: string,
  whose: string,
) => `with t as (update tickets set status = '${status}', closed_at = null,
    last_contact_at = now(), ${CHANGED} where id = $2 and ${whose} returning *), said as (insert into messages
    (id, ticket, body, internal, from_staff, author_name) select $3, id, $4, false, ${status !== 'Open'}, $1 from t)`

export const STATEMENTS = {
  adminList: `select ${STAFF_LISTED}, (select case when reltuples > 5000 then 1001
      else (select count(*) from ${found('deleted_at is null')} n) end from pg_class where oid = 'tickets_live'::regclass) as total
    from (select * from tickets where deleted_at is null order by id desc limit 26) t ${ADMINS} order by t.id desc`,
  ownerList: `select ${LISTED}, (select count(*) from ${MINE} n) as total
    from ${walk('client_id', '$1')} t ${OWNERS} order by t.id desc`,
  managerList: `select ${LISTED}, (select case when count(*) > 1000 then 1001
      else (select count(*) from (${OURS} union ${MINE}) n) end from ${OURS} n) as total
    from (select distinct on (id) * from (${walk('client_id', '$1')} union all ${walk('organisation', '$2')}) owned
      order by id desc limit 26) t ${MANAGERS} order by t.id desc`,
  ticket: `select ${WHOLE} from tickets t ${ADMINS} where t.id = $1 and t.deleted_at is null`,
  asset: `select ${ASSET} from assets t ${OF_ASSET} where t.id = $1 and t.deleted_at is null`,
  assetNew: `with t as (insert into assets (id, name, kind, organisation, os, serial_number, managed)
    values ($1, $2, $3, $4, $5, $6, true) returning *) select ${ASSET} from t ${OF_ASSET}`,
  ticketNew: `with t as (insert into tickets (id, subject, full_name, email, message, organisation, service,
      contact_type, status, priority, opened_at, due_at, last_contact_at, minutes_spent, billable, contact_differs)
      values ($1, $2, $3, $4, $5, $6, $7, 'Query', 'New', 'Normal', now(), now() + interval '24 hours', now(), 0, false, false)
      returning *) select ${WHOLE} from t ${ADMINS}`,
  assetUpdate: `with t as (update assets set os = $2, ${SAVED}) select ${ASSET} from t ${OF_ASSET}`,
  ticketUpdate: `with t as (update tickets set minutes_spent = $2, ${SAVED}) select ${WHOLE} from t ${ADMINS}`,
  adminReply: `${reply('Waiting for client', 'deleted_at is null')} select ${WHOLE} from t ${ADMINS}`,
  ownerReply: `${reply('Open', `client_id = $1 and ${OPEN}`)} select ${OWN} from t ${OWNERS}`,
}
