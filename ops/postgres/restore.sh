#!/bin/bash
# Restores the cluster of a container from its backup into an empty volume, replays the archive to its end or to a moment, and
# sets the passwords of the roles to those of the secrets. Ends with PostgreSQL stopped.
#
#   restore.sh ['2026-01-31 14:05:09+00']
set -euo pipefail

cd "$(dirname "$0")"
# shellcheck source=ops/read-secret.sh
. ./read-secret.sh
# shellcheck source=ops/postgres/read-passwords.sh
. ./read-passwords.sh
# shellcheck source=ops/postgres/archive-options.sh
. ./archive-options.sh

SOCKET=/tmp/restore
export PGHOST=$SOCKET PGUSER=postgres

# pg_ctl already returns while the archive is being replayed.
wait_until_promoted() {
  until [ "$(psql --no-psqlrc -Atc 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; do
    pg_ctl --pgdata="$PGDATA" status >/dev/null || exit 1
    sleep 1
  done
}

bash backup/restore-database.sh "$@"
mkdir -p "$SOCKET"
pg_ctl --pgdata="$PGDATA" --wait start \
  --options="-c listen_addresses='' -c unix_socket_directories=$SOCKET -c hot_standby=off ${ARCHIVE_OPTIONS[*]@Q}"
wait_until_promoted
psql -v ON_ERROR_STOP=1 --no-psqlrc --quiet --file=set-passwords.sql
# Archives what it has not yet, the history of its new timeline first.
pg_ctl --pgdata="$PGDATA" --wait --mode=fast stop
