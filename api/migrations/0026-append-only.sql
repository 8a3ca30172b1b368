-- A table made from here on can be read and added to by the application. What is declared gives it the rest (platform/own-table.ts).
alter default privileges in schema public revoke update, delete on tables from gatehouse_app;

-- The history of purged records. The role that asks could have deleted the rows itself, but not the audit row this leaves.
-- Ids are unique over all tables, so every table with a trash is asked, whatever the model is said to be.
create function purge_history(purged_model text, purged uuid[], by_ref uuid, by_kind text, of_request text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  holder text;
  is_there boolean;
begin
  for holder in
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and 3 = (
      select count(*) from pg_attribute
      where attrelid = pg_class.oid and not attisdropped and attname in ('id', 'deleted_at', 'restricted_at'))
  loop
    execute format('select exists (select from public.%I where id = any($1))', holder) into is_there using purged;
    if is_there then
      raise exception 'a record that exists keeps its history' using errcode = 'insufficient_privilege';
    end if;
  end loop;
  delete from public.revisions where model = purged_model and record_id = any(purged);
  with done as (
    delete from public.purges where model = purged_model and record_id = any(purged) returning record_id, unlinked
  )
  insert into public.audit_events (actor_ref, actor_kind, action, entity, entity_id, fields, outcome, counts, request_id)
  select by_ref, by_kind, 'purge', purged_model, id, '{}', 'done',
    case when unlinked <> '{}' then jsonb_build_object('unlinked', unlinked) end, of_request
  from unnest(purged) id left join done on record_id = id;
end
$$;

revoke execute on function purge_history from public;
grant execute on function purge_history to gatehouse_app;

-- Whose a record was, in a version that an older release wrote without it; once for each.
create function settle_revision(revision uuid, its_owner text, its_org uuid, was_open boolean) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update public.revisions set owner = its_owner, org = its_org, is_open = was_open, is_settled = true
  where id = revision and not is_settled
$$;

revoke execute on function settle_revision from public;
grant execute on function settle_revision to gatehouse_app;

-- Events past the term that their table declares.
create function expire_security_events(at_most integer) returns setof integer
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from public.security_events where id = any(array(
    select id from public.security_events where at < now() - interval '12 months'
    order by at limit at_most for update skip locked))
  returning 1
$$;

revoke execute on function expire_security_events from public;
grant execute on function expire_security_events to gatehouse_app;
