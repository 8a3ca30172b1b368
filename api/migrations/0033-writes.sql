-- Records take their numbers before they are written, so that everything about them is written at once.
alter default privileges in schema public grant usage on sequences to gatehouse_app;
grant usage on all sequences in schema public to gatehouse_app;
-- Nobody but the audit log takes its numbers: a gap would look like a row that is gone.
revoke usage on sequence audit_events_seq_seq from gatehouse_app;

-- Counts a confirmation in the transaction of its mail; false where the budget is used up. A function, because what another
-- request has counted meanwhile is only seen by a statement after the lock.
create function spend_confirmation(counted text, per_day integer) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.daily_salts (day, salt) values ((now() at time zone 'UTC')::date, gen_random_uuid()) on conflict do nothing;
  perform pg_advisory_xact_lock(hashtextextended('confirmation ' || counted, 0));
  with hashes as (
    select day, encode(sha256(convert_to(concat_ws(' ', salt, counted), 'UTF8')), 'hex') as hash from public.daily_salts
  )
  insert into public.confirmations (id, address_hash)
  select gen_random_uuid(), hash from hashes where day = (now() at time zone 'UTC')::date and per_day > (
    select count(*) from public.confirmations
    where address_hash in (select hash from hashes) and queued_at > now() - interval '24 hours');
  return found;
end
$$;
