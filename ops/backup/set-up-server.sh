#!/bin/bash
# On a server, as root; safe to repeat. PostgreSQL archives every change within a minute, and gatehouse-backup makes the backups: into
# BACKUP_BUCKET, or without one into a folder of this machine, which the doctor calls no backup.
#
#   PGDATA, PGPORT      the cluster
#   RESTART_POSTGRES    command that restarts it
#   BACKUP_BUCKET, BACKUP_REGION, BACKUP_S3_KEY, BACKUP_S3_SECRET  needed once; stored in /etc/gatehouse
set -euo pipefail
umask 077

HERE="$(cd "$(dirname "$0")" && pwd)"
# shellcheck source=ops/env-file.sh
. "$HERE/../env-file.sh"
ETC=/etc/gatehouse
SETTINGS=$ETC/backup.env
SECRETS=$ETC/secrets
OLD_FOLDER=/var/backups/gatehouse
export PGBACKREST_CONFIG=/etc/pgbackrest.conf SECRETS_DIR=$SECRETS AUTHORITY_FILE=$ETC/tls/authority.pem BACKUP_FOLDER=$OLD_FOLDER
: "${PGDATA:?}" "${PGPORT:?}" "${RESTART_POSTGRES:?}"
export PGDATA PGPORT

main() {
  store_settings
  store_secrets
  read_env_file $SETTINGS
  export BACKUP_BUCKET BACKUP_REGION
  install -d -m 0750 -o postgres -g postgres $OLD_FOLDER
  if [ ! -e $PGBACKREST_CONFIG ]; then install -m 0600 -o postgres -g postgres /dev/null $PGBACKREST_CONFIG; fi
  chown postgres:postgres $PGBACKREST_CONFIG
  bash "$HERE/write-config.sh"
  as_postgres psql -q <<SQL
alter system set archive_mode = on;
alter system set archive_timeout = '60s';
alter system set archive_command = 'pgbackrest --config=$PGBACKREST_CONFIG --stanza=gatehouse archive-push %p';
select pg_reload_conf() \g /dev/null
SQL
  if [ "$(as_postgres psql -Atc 'show archive_mode')" != on ]; then $RESTART_POSTGRES; fi
  as_postgres pgbackrest --config=$PGBACKREST_CONFIG --stanza=gatehouse stanza-create
}

# Those given now replace the earlier ones.
store_settings() {
  if [ -e $SETTINGS ] && [ -z "${BACKUP_BUCKET:-}" ]; then return; fi
  {
    echo '# Settings of the backups: docs/operating.md. After a change: ops/install.sh.'
    env_line BACKUP_BUCKET "${BACKUP_BUCKET:-}"
    env_line BACKUP_REGION "${BACKUP_REGION:-us-east-1}"
    env_line PGPORT "$PGPORT"
  } >$SETTINGS
}

store_secrets() {
  local old
  install -d -m 0700 $SECRETS
  for name in BACKUP_S3_KEY BACKUP_S3_SECRET; do
    if [ -n "${!name:-}" ]; then printf %s "${!name}" >"$SECRETS/${name,,}"; fi
  done
  if [ -s $SECRETS/backup_pass_phrase ]; then return; fi
  # An older installation has it in pgBackRest's file alone.
  old="$(sed -n 's/^repo1-cipher-pass=//p' $PGBACKREST_CONFIG 2>/dev/null || true)"
  printf %s "${old:-$(openssl rand -hex 24)}" >$SECRETS/backup_pass_phrase
}

as_postgres() { (cd / && runuser -u postgres -- "$@"); }

main
