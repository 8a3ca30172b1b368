-- The three roles, once per cluster, by a superuser. Passwords are set by whoever runs the cluster.
-- gatehouse_migrate owns the tables and changes them · gatehouse_app serves requests · gatehouse_read looks.
do $$
begin
  if not exists (select from pg_roles where rolname = 'gatehouse_migrate') then create role gatehouse_migrate login; end if;
  if not exists (select from pg_roles where rolname = 'gatehouse_app') then create role gatehouse_app login; end if;
  if not exists (select from pg_roles where rolname = 'gatehouse_read') then create role gatehouse_read login; end if;
end
$$;

-- The limit on any list. It hangs on the role, so that it holds behind a pooler too and costs no statement per request.
alter role gatehouse_app set statement_timeout = '2s';
alter role gatehouse_app set idle_in_transaction_session_timeout = '10s';
alter role gatehouse_read set statement_timeout = '30s';
alter role gatehouse_read set default_transaction_read_only = on;

-- No value of a person in the server's log (docs/decisions/11-no-values-in-logs.md).
alter role gatehouse_app set log_parameter_max_length = 0;
alter role gatehouse_app set log_parameter_max_length_on_error = 0;
alter role gatehouse_app set log_error_verbosity = 'terse';

-- A page of somebody's own rows is walked in the one index that holds owner and order together. With incremental sorts
-- PostgreSQL trusts that an owner has few rows and sorts all of them instead: 5,000 buffers where 30 do.
alter role gatehouse_app set enable_incremental_sort = off;
