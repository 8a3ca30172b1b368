#!/bin/sh
# One backup, as user postgres, by gatehouse-backup.timer: all of it on Sundays, otherwise what differs from then.
# Says in BACKUP_STATUS_FILE when it was complete: /metrics tells Prometheus, and an alert rings after 26 hours.
set -eu
: "${PGBACKREST_CONFIG:=/etc/pgbackrest.conf}" "${BACKUP_STATUS_FILE:?}"
export PGBACKREST_CONFIG

type=diff
if [ "$(date +%u)" = 7 ]; then type=full; fi
pgbackrest --stanza=gatehouse --type="$type" backup
# A renamed file is never half written.
printf '{"finishedAt":"%s"}\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$BACKUP_STATUS_FILE.new"
mv "$BACKUP_STATUS_FILE.new" "$BACKUP_STATUS_FILE"
