#!/bin/bash
# Like the original image: root only changes the owner of the data to postgres; the init scripts run over the socket, before
# other clients can connect.
set -euo pipefail

if [ "$(id -u)" = 0 ]; then
  chown -R postgres "$PGDATA" /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups bash "$0" "$@"
fi
chmod 700 "$PGDATA"

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Unquoted: several arguments.
  # shellcheck disable=SC2086
  initdb --username=postgres --pwfile=<(echo "$POSTGRES_PASSWORD") ${POSTGRES_INITDB_ARGS:-}
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  pg_ctl -w start -o "-c listen_addresses=''"
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in
      *.sql) psql -v ON_ERROR_STOP=1 --username=postgres --no-psqlrc --file="$file" ;;
      *.sh) "$file" ;;
    esac
  done
  pg_ctl -w -m fast stop
fi
exec "$@"
