#!/bin/bash
# Restores the database to a point in time, on a server installed by ops/install.sh. Run it as root:
#
#   /opt/gatehouse/current/ops/backup/restore.sh '2026-01-31 14:05:09+00'
#
# Public pages are served meanwhile; the damaged database is kept beside the new one.
set -euo pipefail

TARGET="${1:-}"
case $TARGET in
[0-9]*[0-9]:[0-9]*) ;;
*)
  echo "Give the time to restore to, with its zone: $0 '2026-01-31 14:05:09+00'" >&2
  exit 1
  ;;
esac
[ "$(id -u)" = 0 ] || { echo 'Run it as root.' >&2; exit 1; }
[ -d /run/systemd/system ] || { echo 'systemd is not running: follow the manual steps in ops/backup/README.md.' >&2; exit 1; }
cd /

# shellcheck source=ops/env-file.sh
. /opt/gatehouse/current/ops/env-file.sh
# shellcheck source=ops/server/common.sh
. /opt/gatehouse/current/ops/server/common.sh
find_cluster
UNIT=$POSTGRES_UNIT STATUS=$POSTGRES_STATUS DATA=$POSTGRES_DATA
KEPT=$DATA.before-$(date --utc +%Y%m%dT%H%M%S)
READY_TRIES=600

read_env_file $ETC/proxy.env

api() { local port; for port in $API_PORTS; do systemctl "$1" "gatehouse-api@$port"; done; }
until_true() {
  local try
  for ((try = 0; try < READY_TRIES; try++)); do
    if "$@"; then return; fi
    sleep 0.5
  done
  return 1
}
has_arrived() { [ "$(as_postgres psql -Atc 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; }

if [ "$STATUS" = online ]; then
  say 'Archiving the last changes'
  as_postgres pgbackrest --stanza=gatehouse check
fi

say 'Stopping the API and PostgreSQL'
api stop
systemctl stop gatehouse-backup.timer "$UNIT"

say "Restoring to $TARGET; the damaged database is kept in $KEPT"
mv "$DATA" "$KEPT"
install -d -m 0700 -o postgres -g postgres "$DATA"
if ! as_postgres pgbackrest --stanza=gatehouse --type=time --target="$TARGET" --target-action=promote restore; then
  rm -rf "$DATA"
  mv "$KEPT" "$DATA"
  systemctl start "$UNIT" gatehouse-backup.timer
  api start
  stop 'Nothing was restored, everything is as it was.'
fi
systemctl start "$UNIT"

until_true has_arrived || stop "The moment was not reached: journalctl -u $UNIT"

say 'Starting the API and a new backup: the old ones end at that time'
systemctl start gatehouse-backup.timer
api start
for port in $API_PORTS; do
  until_true responds "$port" /readyz || stop "The API on port $port did not become ready: journalctl -u gatehouse-api@$port"
done
systemctl start gatehouse-backup.service
say "Done. Check the data; then: rm -r $KEPT"
say 'Accounts erased after that time exist again: erase them again; the confirmations in the privacy mailbox name them.'
