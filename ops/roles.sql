-- The three roles, by a superuser; safe to repeat. Passwords are set by anyone who runs the cluster.
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

-- No value of a person in the server's log (docs/decisions/11-no-values-in-logs.md): an error quotes what it refuses, so the
-- errors of these roles are in the log of the program that met them, without values. The other settings hold should someone
-- want the errors back. Keycloak's role is there only where its database is in this cluster. Run it again after making it.
do $$
declare
  our_role text;
  setting text[];
begin
  for our_role in
    select rolname from pg_roles where rolname in ('gatehouse_migrate', 'gatehouse_app', 'gatehouse_read', 'keycloak')
  loop
    foreach setting slice 1 in array array[
      ['log_min_messages', 'fatal'],
      ['log_min_error_statement', 'panic'],
      ['log_error_verbosity', 'terse'],
      ['log_statement', 'none'],
      ['log_min_duration_statement', '-1'],
      ['log_min_duration_sample', '-1'],
      ['log_parameter_max_length', '0'],
      ['log_parameter_max_length_on_error', '0']
    ] loop
      execute format('alter role %I set %I = %L', our_role, setting[1], setting[2]);
    end loop;
  end loop;
end
$$;

-- A page of someone's own rows is walked in the one index that holds owner and order together. With incremental sorts
-- PostgreSQL trusts that an owner has few rows and sorts all of them instead: 5,000 buffers where 30 do.
alter role gatehouse_app set enable_incremental_sort = off;

-- A statement has one process, and ends when its time is over: with helpers the dearest list of one person would take every core
-- from everybody else, and nothing interrupts PostgreSQL while it compiles one.
alter role gatehouse_app set max_parallel_workers_per_gather = 0;
alter role gatehouse_app set jit = off;
