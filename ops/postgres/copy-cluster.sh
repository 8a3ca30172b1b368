#!/bin/bash
# Copies the cluster that another container serves, of another major version of PostgreSQL, into this container's empty volume.
# Nothing may write there meanwhile.
#
#   copy-cluster.sh HOST
#
# A dump, not pg_upgrade: the other image's ICU may sort differently, so every index of texts must be built again.
set -euo pipefail

SOURCE="${1:?which host}"
cd "$(dirname "$0")"
# shellcheck source=ops/read-secret.sh
. ./read-secret.sh
# shellcheck source=ops/postgres/read-passwords.sh
. ./read-passwords.sh
# shellcheck source=ops/postgres/create-cluster.sh
. ./create-cluster.sh

# Of the new cluster alone.
SOCKET=/tmp/copy
# Written to disk in one go at the end; a copy that is interrupted begins again.
LOAD_OPTIONS=(-c listen_addresses="''" -c "unix_socket_directories=$SOCKET" -c fsync=off -c synchronous_commit=off
  -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=4GB -c autovacuum=off
  -c "shared_buffers=${POSTGRES_SHARED_BUFFERS:-256MB}" -c maintenance_work_mem=256MB)

main() {
  if [ -s "$PGDATA/PG_VERSION" ]; then
    echo 'There is a cluster in the new volume, and a copy replaces none.' >&2
    exit 1
  fi
  create_cluster --no-sync >/dev/null
  mkdir -p "$SOCKET"
  pg_ctl --pgdata="$NEW_CLUSTER" --wait --log=/tmp/copy.log start --options="${LOAD_OPTIONS[*]}" >/dev/null
  from_source pg_dumpall --globals-only | grep -vx 'CREATE ROLE postgres;' | into_new
  for database in $(from_source psql --no-psqlrc -Atc "select quote_ident(datname) from pg_database where not datistemplate and datname <> 'postgres'"); do
    echo "Copying the database $database."
    from_source pg_dump --create "$database" | into_new
  done
  vacuumdb --host="$SOCKET" --username=postgres --all --analyze-only --jobs=2 --quiet
  pg_ctl --pgdata="$NEW_CLUSTER" --wait --mode=fast stop >/dev/null
  initdb --sync-only --pgdata="$NEW_CLUSTER" >/dev/null
  place_cluster
}

from_source() { PGHOST="$SOURCE" PGUSER=postgres PGPASSWORD="$POSTGRES_PASSWORD" "$@"; }
into_new() { psql --host="$SOCKET" --username=postgres --dbname=postgres --no-psqlrc --quiet --set=ON_ERROR_STOP=1 >/dev/null; }

main
