#!/bin/bash
# Beside PostgreSQL in containers: a backup every day at BACKUP_AT (UTC), at once if the last one was missed. Never ends by itself.
set -euo pipefail

# shellcheck source=ops/backup/settings.sh
. "$(dirname "$0")/settings.sh"

BACKUP_AT="${BACKUP_AT:-02:00}"
POLL_SECONDS=30
RETRY_SECONDS=600
DAY_SECONDS=86400

main() {
  trap 'exit 0' INT TERM
  [[ $BACKUP_AT =~ ^([01][0-9]|2[0-3]):[0-5][0-9]$ ]] || stop "BACKUP_AT must be a time of day such as 02:00, not \"$BACKUP_AT\"."
  if [ -z "$BACKUP_BUCKET" ]; then
    echo 'There is no bucket: nothing is backed up.'
    while :; do pause $DAY_SECONDS; done
  fi
  bash "$(dirname "$0")/write-config.sh"
  until pgbackrest_with_config stanza-create; do pause $RETRY_SECONDS; done
  while :; do
    if is_due && ! bash "$(dirname "$0")/backup.sh"; then
      echo "The backup failed; the next try is in $((RETRY_SECONDS / 60)) minutes." >&2
      pause $RETRY_SECONDS
    fi
    pause $POLL_SECONDS
  done
}

# The last backup is older than the last time that one was scheduled.
is_due() {
  local now at finished=0
  now=$(date -u +%s)
  at=$(date -u -d "today $BACKUP_AT" +%s)
  if [ "$at" -gt "$now" ]; then at=$((at - DAY_SECONDS)); fi
  if [ -e "$BACKUP_STATUS_FILE" ]; then finished=$(date -r "$BACKUP_STATUS_FILE" +%s); fi
  [ "$finished" -lt "$at" ]
}

# A signal ends it at once.
pause() {
  sleep "$1" &
  wait $!
}

main
