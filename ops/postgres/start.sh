#!/bin/bash
# PostgreSQL in a container. The first start makes the cluster, its roles and databases over the socket, before other clients can
# connect.
set -euo pipefail

# Where it is read, not where it is passed: `docker inspect` shows the environment.
secret() {
  local file="/run/secrets/$1"
  [ -s "$file" ] || { echo "The secret $1 is missing: ./gatehouse init makes it" >&2; exit 1; }
  [ "$(wc -c <"$file")" -ge 16 ] || { echo "The secret $1 must have at least 16 characters" >&2; exit 1; }
  cat "$file"
}

POSTGRES_PASSWORD="$(secret postgres_password)"
APP_PASSWORD="$(secret database_password)"
MIGRATE_PASSWORD="$(secret database_migration_password)"
KEYCLOAK_DB_PASSWORD="$(secret keycloak_database_password)"

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  export APP_PASSWORD MIGRATE_PASSWORD KEYCLOAK_DB_PASSWORD
  # A first start that was interrupted begins again.
  find "$PGDATA" -mindepth 1 -delete
  # ICU collation: natural order, the same on every machine. PG_VERSION is written first, so the cluster moves into place complete.
  new="$PGDATA/new"
  initdb --pgdata="$new" --username=postgres --pwfile=<(echo "$POSTGRES_PASSWORD") --auth-local=trust --auth-host=scram-sha-256 \
    --data-checksums --locale=C.UTF-8 --locale-provider=icu --icu-locale=en
  echo 'host all all all scram-sha-256' >>"$new/pg_hba.conf"
  pg_ctl --pgdata="$new" --wait start --options="-c listen_addresses=''"
  PGHOST=/var/run/postgresql PGUSER=postgres bash /etc/gatehouse/create-databases.sh
  pg_ctl --pgdata="$new" --wait --mode=fast stop
  find "$new" -mindepth 1 -maxdepth 1 ! -name PG_VERSION -exec mv -t "$PGDATA" {} +
  mv "$new/PG_VERSION" "$PGDATA"
  rmdir "$new"
fi

unset POSTGRES_PASSWORD APP_PASSWORD MIGRATE_PASSWORD KEYCLOAK_DB_PASSWORD
exec postgres -c listen_addresses='*' -c shared_buffers="${POSTGRES_SHARED_BUFFERS:-256MB}" \
  -c log_parameter_max_length_on_error=0 "$@"
