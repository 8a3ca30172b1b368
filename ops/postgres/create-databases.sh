#!/bin/bash
# Runs once, in a new cluster of the container: creates the roles with their passwords and the two databases.
set -euo pipefail

psql -v ON_ERROR_STOP=1 --no-psqlrc --quiet <<'END'
\i /etc/gatehouse/roles.sql
-- Passwords appear neither in the process list nor in the server's log.
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
-- Again, for the settings of Keycloak's role.
\i /etc/gatehouse/roles.sql
END
