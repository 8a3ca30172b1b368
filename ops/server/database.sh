# shellcheck shell=bash
# Sourced by ops/install.sh: the cluster, its roles and databases, and the archive of its changes.

start_postgres() {
  find_cluster
  if [ "$POSTGRES_STATUS" = online ]; then return; fi
  say "Starting PostgreSQL $POSTGRES_VERSION"
  if [ $HAS_SYSTEMD = yes ]; then
    systemctl enable --quiet --now "$POSTGRES_UNIT"
  else
    pg_ctlcluster "$POSTGRES_VERSION" "$POSTGRES_CLUSTER" start
  fi
}

make_database() {
  as_postgres psql -q -v ON_ERROR_STOP=1 <"$RELEASE/ops/roles.sql"
  if [ "$IDENTITY" = here ] && ! has_row pg_roles rolname keycloak; then as_postgres createuser keycloak; fi
  APP_PASSWORD="$(password_of "$DATABASE_URL")" MIGRATE_PASSWORD="$(password_of "$DATABASE_MIGRATION_URL")" \
    KEYCLOAK_DB_PASSWORD="${KC_DB_PASSWORD:-}" as_postgres psql -q -v ON_ERROR_STOP=1 <<'END'
-- Passwords appear neither in the process list nor in the server's log.
\getenv app APP_PASSWORD
\getenv migrate MIGRATE_PASSWORD
\getenv keycloak KEYCLOAK_DB_PASSWORD
set log_statement = 'none';
set log_min_error_statement = 'panic';
alter role gatehouse_app password :'app';
alter role gatehouse_migrate password :'migrate';
select :'keycloak' <> '' as has_keycloak \gset
\if :has_keycloak
alter role keycloak password :'keycloak';
\endif
END
  if ! has_row pg_database datname gatehouse; then
    say 'Database: gatehouse'
    # ICU collation: natural order, the same on every machine.
    as_postgres createdb --owner=gatehouse_migrate --template=template0 --encoding=UTF8 --locale=C.UTF-8 \
      --locale-provider=icu --icu-locale=en gatehouse
  fi
  if [ "$IDENTITY" = here ] && ! has_row pg_database datname keycloak; then
    say 'Database: keycloak'
    as_postgres createdb --owner=keycloak --template=template0 --encoding=UTF8 --locale=C.UTF-8 \
      --locale-provider=icu --icu-locale=en keycloak
    as_postgres psql -q -c 'revoke connect on database keycloak from public'
    # Again, for the settings of Keycloak's role.
    as_postgres psql -q -v ON_ERROR_STOP=1 <"$RELEASE/ops/roles.sql"
  fi
}

has_row() { [ "$(as_postgres psql -Atc "select 1 from $1 where $2 = '$3'")" = 1 ]; }
# Decodes percent-encoding, such as %24 in a URL.
password_of() { printf '%b' "$(sed -E 's|^[^:]+://[^:]+:([^@]+)@.*|\1|; s|\\|\\\\|g; s|%([0-9A-Fa-f]{2})|\\x\1|g' <<<"$1")"; }

# Archives every change within a minute, encrypted: any second can be restored (ops/backup/README.md).
archive_changes() {
  local restart="pg_ctlcluster $POSTGRES_VERSION $POSTGRES_CLUSTER restart"
  if [ $HAS_SYSTEMD = yes ]; then restart="systemctl restart $POSTGRES_UNIT"; fi
  BACKUP_BUCKET="${BACKUP_BUCKET:-}" BACKUP_REGION="${BACKUP_REGION:-}" \
    BACKUP_S3_KEY="${BACKUP_S3_KEY:-}" BACKUP_S3_SECRET="${BACKUP_S3_SECRET:-}" \
    PGDATA=$POSTGRES_DATA PGPORT=$POSTGRES_PORT RESTART_POSTGRES=$restart "$RELEASE/ops/backup/set-up-server.sh"
}

# At once if this machine has made none in this bucket; a restored one has not, even if the bucket has backups.
plan_backups() {
  if [ $HAS_SYSTEMD = no ]; then return; fi
  systemctl enable --quiet --now gatehouse-backup.timer
  read_env_file $ETC/backup.env
  if ! grep -qs "\"bucket\":\"$BACKUP_BUCKET\"" $STATE/backup/status.json; then
    say 'A full backup'
    systemctl start gatehouse-backup.service
  fi
}
