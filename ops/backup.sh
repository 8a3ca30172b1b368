#!/bin/bash
# One backup of the database into BACKUP_DIR, and away with those older than the privacy notice promises. A copy on the
# same machine is not enough: take BACKUP_DIR elsewhere. Restore: pg_restore --clean --if-exists -d ADDRESS FILE
set -euo pipefail
umask 077

cd "$(dirname "$0")/.."
: "${DATABASE_MIGRATION_URL:?the address of the database for the role gatehouse_migrate}"
BACKUP_DIR="${BACKUP_DIR:-/var/backups/gatehouse}"
days="$(bin/node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).backups.retentionDays' "${SITE_FILE:-config/site.json}")"

mkdir -p "$BACKUP_DIR"
file="$BACKUP_DIR/gatehouse-$(date -u +%Y%m%dT%H%M%SZ).dump"
# Under its name only when it is whole.
pg_dump --format=custom --file="$BACKUP_DIR/.unfinished" "$DATABASE_MIGRATION_URL"
pg_restore --list "$BACKUP_DIR/.unfinished" >/dev/null
mv "$BACKUP_DIR/.unfinished" "$file"
find "$BACKUP_DIR" -name 'gatehouse-*.dump' -mtime "+$((days - 1))" -delete
echo "$file ($(stat -c %s "$file") bytes)"
