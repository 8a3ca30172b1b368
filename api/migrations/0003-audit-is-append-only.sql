-- The application adds to the audit log and reads it, and can do nothing else to it.
revoke update, delete on audit_events from gatehouse_app;

-- Not even the owner, by accident.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_events can only be added to';
end
$$;

create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function refuse_audit_change();

create trigger audit_events_no_truncate before truncate on audit_events
  for each statement execute function refuse_audit_change();
