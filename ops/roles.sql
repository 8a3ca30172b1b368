-- The three roles. Run by a superuser; safe to repeat. The operator sets the passwords.
-- gatehouse_migrate owns and alters the tables · gatehouse_app serves requests · gatehouse_read only reads.
do $$
begin
  if not exists (select from pg_roles where rolname = 'gatehouse_migrate') then create role gatehouse_migrate login; end if;
  if not exists (select from pg_roles where rolname = 'gatehouse_app') then create role gatehouse_app login; end if;
  if not exists (select from pg_roles where rolname = 'gatehouse_read') then create role gatehouse_read login; end if;
end
$$;

-- Time limit of any list. Set on the role, so that it applies behind a pooler too and needs no statement per request.
alter role gatehouse_app set statement_timeout = '2s';
alter role gatehouse_app set idle_in_transaction_session_timeout = '10s';
alter role gatehouse_read set statement_timeout = '30s';
alter role gatehouse_read set default_transaction_read_only = on;

-- No personal data in the server's log (docs/decisions/11-no-values-in-logs.md): errors quote values, so errors of these roles
-- are logged only by the program that got them, without values. The other settings apply if an operator enables error logs.
-- Keycloak's role exists only if its database is in this cluster. Run this again after creating it.
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

-- A page of an owner's rows is read from the index on owner and order. With incremental sorts PostgreSQL assumes that an owner
-- has few rows and sorts all of them instead: 5,000 buffers instead of 30.
alter role gatehouse_app set enable_incremental_sort = off;

-- One process per statement: with parallel workers the most expensive list of one user would take every core. No JIT, because
-- PostgreSQL can't be interrupted while it compiles a statement.
alter role gatehouse_app set max_parallel_workers_per_gather = 0;
alter role gatehouse_app set jit = off;
