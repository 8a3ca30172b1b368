#!/bin/sh
# Runs one backup as user postgres, by gatehouse-backup.timer: full on Sundays, otherwise differential.
# Writes its time to BACKUP_STATUS_FILE for /metrics; an alert fires after 26 hours without one.
set -eu
: "${PGBACKREST_CONFIG:=/etc/pgbackrest.conf}" "${BACKUP_STATUS_FILE:?}"
export PGBACKREST_CONFIG

type=diff
if [ "$(date +%u)" = 7 ]; then type=full; fi
pgbackrest --stanza=gatehouse --type="$type" backup
# Renaming makes the write atomic.
printf '{"finishedAt":"%s"}\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$BACKUP_STATUS_FILE.new"
mv "$BACKUP_STATUS_FILE.new" "$BACKUP_STATUS_FILE"
