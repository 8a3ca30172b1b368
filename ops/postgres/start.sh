#!/bin/bash
# PostgreSQL in a container. The first start makes the cluster, its roles and databases over the socket, before other clients can
# connect.
set -euo pipefail

cd "$(dirname "$0")"
# shellcheck source=ops/read-secret.sh
. ./read-secret.sh
# shellcheck source=ops/postgres/read-passwords.sh
. ./read-passwords.sh
# shellcheck source=ops/postgres/archive-options.sh
. ./archive-options.sh
# shellcheck source=ops/postgres/create-cluster.sh
. ./create-cluster.sh

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # shellcheck disable=SC2119 # the arguments of this script are PostgreSQL's
  create_cluster
  pg_ctl --pgdata="$NEW_CLUSTER" --wait start --options="-c listen_addresses=''"
  PGHOST=/var/run/postgresql PGUSER=postgres bash ./create-databases.sh
  pg_ctl --pgdata="$NEW_CLUSTER" --wait --mode=fast stop
  place_cluster
fi

if [ -n "${BACKUP_BUCKET:-}" ]; then bash backup/write-config.sh; fi
unset POSTGRES_PASSWORD APP_PASSWORD MIGRATE_PASSWORD KEYCLOAK_DB_PASSWORD
exec postgres -c listen_addresses='*' -c shared_buffers="${POSTGRES_SHARED_BUFFERS:-256MB}" \
  -c log_parameter_max_length_on_error=0 "${ARCHIVE_OPTIONS[@]}" "$@"
