#!/bin/bash
# Runs once, in a new cluster of the container: creates the roles with their passwords and the two databases.
set -euo pipefail

psql -v ON_ERROR_STOP=1 --no-psqlrc --quiet <<'END'
\i /etc/gatehouse/roles.sql
create role keycloak login;
\i /etc/gatehouse/set-passwords.sql
create database gatehouse owner gatehouse_migrate template template0;
create database keycloak owner keycloak template template0;
revoke connect on database keycloak from public;
-- Again, for the settings of Keycloak's role.
\i /etc/gatehouse/roles.sql
END
