#!/bin/bash
# Makes one backup: of the cluster by pgBackRest, then of the files by restic, and notes its time for the doctor, /system and the
# alert. Without an argument full on Sundays and the first time, otherwise what has changed since the last full one.
#
#   backup.sh [full | diff]
#
#   BACKUP_FILES  folders and files besides the cluster, spaces between; only with BACKUP_BUCKET
#   SITE_FILE     names backups.retentionDays, which the privacy notice promises
set -euo pipefail

# shellcheck source=ops/backup/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=ops/read-secret.sh
. "$(dirname "$0")/../read-secret.sh"

SITE_FILE="${SITE_FILE:-/gatehouse/site/site.json}"
BACKUP_FILES="${BACKUP_FILES:-/gatehouse $SECRETS_DIR $ATTACHED_FILES}"
# pgBackRest keeps the newest full backup that is older than the period: a week between two, and a day until expiry runs.
RETENTION_SLACK_DAYS=8
UNREADABLE=3

main() {
  local type="${1:-$(default_type)}" days is_complete=true
  days="$(retention_days)"
  # Before any work: what fails after a backup is tried again, and makes one each time.
  touch "$BACKUP_STATUS_FILE.new"
  refuse_newer_timeline
  if [ -n "$BACKUP_BUCKET" ]; then prepare_files; fi
  pgbackrest_with_config --type="$type" --repo1-retention-full-type=time --repo1-retention-full="$days" backup
  if [ -n "$BACKUP_BUCKET" ]; then back_up_files "$days"; fi
  printf '{"finishedAt":"%s","bucket":"%s","isComplete":%s}\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$BACKUP_BUCKET" "$is_complete" \
    >"$BACKUP_STATUS_FILE.new"
  # Renaming makes the write atomic.
  mv "$BACKUP_STATUS_FILE.new" "$BACKUP_STATUS_FILE"
}

default_type() {
  if [ ! -e "$BACKUP_STATUS_FILE" ] || [ "$(date -u +%u)" = 7 ]; then echo full; else echo diff; fi
}

# Read without a parser of JSON, which not every image has.
retention_days() {
  local days
  days="$(tr -d '\n' <"$SITE_FILE" | sed -n 's/.*"backups"[^}]*"retentionDays" *: *\([0-9][0-9]*\).*/\1/p')"
  [ -n "$days" ] || stop "backups.retentionDays is missing in $SITE_FILE."
  echo $((days > RETENTION_SLACK_DAYS ? days - RETENTION_SLACK_DAYS : 1))
}

# A machine restored from this bucket archives on a newer timeline. A backup of this one would mix two clusters in one chain.
refuse_newer_timeline() {
  local own newest history
  own="$(as_postgres psql --port="${PGPORT:-5432}" --host="${SOCKET_DIRECTORY:-/var/run/postgresql}" --username=postgres -Atc \
    'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)')"
  history="$(pgbackrest_with_config repo-ls archive/gatehouse --filter='^[0-9]+-[0-9]+$' | tail -n 1)"
  if [ -z "$history" ]; then return; fi
  newest="$(pgbackrest_with_config repo-ls "archive/gatehouse/$history" --filter='\.history$' | sort | tail -n 1)"
  if [[ ${newest%.history} > $own ]]; then
    stop 'Another machine was restored from this bucket, so this one makes no backups any more: shut it down, or give it a bucket of its own.'
  fi
}

prepare_files() {
  if RESTIC_SECONDS=$PROBE_SECONDS run_restic cat config >/dev/null 2>&1; then return; fi
  RESTIC_SECONDS=$PROBE_SECONDS run_restic --quiet init >/dev/null
}

back_up_files() {
  local code=0
  # Locks of processes that have ended.
  run_restic --quiet unlock
  # The bucket's own secrets are in the kit. Files of records come after the cluster: those that a record of its time names are there,
  # because what leaves a record is kept for as long as the backups.
  # shellcheck disable=SC2086
  run_restic --quiet backup --host gatehouse --exclude "$SECRETS_DIR/backup_*" --exclude "$ATTACHED_FILES/incoming" $BACKUP_FILES ||
    code=$?
  if [ $code = $UNREADABLE ]; then is_complete=false; elif [ $code != 0 ]; then return $code; fi
  run_restic --quiet forget --host gatehouse --group-by host --keep-last 1 --keep-within "$1d" --prune
}

main "$@"
