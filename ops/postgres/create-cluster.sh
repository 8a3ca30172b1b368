# shellcheck shell=bash
# Sourced by the scripts of the image, after read-passwords.sh: a cluster is made beside its place and moved there when it is whole.

NEW_CLUSTER="$PGDATA/new"

# ICU collation: natural order, the same on every machine. The arguments are initdb's.
# shellcheck disable=SC2120 # copy-cluster.sh has some
create_cluster() {
  # An earlier try that was interrupted begins again.
  find "$PGDATA" -mindepth 1 -delete
  initdb --pgdata="$NEW_CLUSTER" --username=postgres --pwfile=<(echo "$POSTGRES_PASSWORD") --auth-local=trust \
    --auth-host=scram-sha-256 --data-checksums --locale=C.UTF-8 --locale-provider=icu --icu-locale=en "$@"
  echo 'host all all all scram-sha-256' >>"$NEW_CLUSTER/pg_hba.conf"
}

# PG_VERSION last: with it the cluster counts as complete.
place_cluster() {
  find "$NEW_CLUSTER" -mindepth 1 -maxdepth 1 ! -name PG_VERSION -exec mv -t "$PGDATA" {} +
  mv "$NEW_CLUSTER/PG_VERSION" "$PGDATA"
  rmdir "$NEW_CLUSTER"
}
