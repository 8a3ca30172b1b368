#!/bin/bash
# After roles.sql, once, where PostgreSQL is a container: the passwords of the roles, and the two databases.
set -euo pipefail

psql -v ON_ERROR_STOP=1 <<'END'
-- Neither in the list of processes nor in the log of the server.
\getenv app APP_PASSWORD
\getenv migrate MIGRATE_PASSWORD
\getenv keycloak KEYCLOAK_DB_PASSWORD
set log_statement = 'none';
set log_min_error_statement = 'panic';
alter role gatehouse_app password :'app';
alter role gatehouse_migrate password :'migrate';
create database gatehouse owner gatehouse_migrate template template0;
create role keycloak login password :'keycloak';
create database keycloak owner keycloak template template0;
revoke connect on database keycloak from public;
\i /docker-entrypoint-initdb.d/1-roles.sql
END
