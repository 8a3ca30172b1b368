#!/bin/bash
# Restores the cluster into an empty data folder: to the end of the archive, or to a moment. Run while PostgreSQL does not run; its
# next start replays the archive.
#
#   restore-database.sh ['2026-01-31 14:05:09+00']
set -euo pipefail

# shellcheck source=ops/backup/settings.sh
. "$(dirname "$0")/settings.sh"

MOMENT="${1:-}"

[ -z "$(ls -A "$PGDATA")" ] || stop "$PGDATA is not empty, and a restore replaces no database."
bash "$(dirname "$0")/write-config.sh"
chmod 0700 "$PGDATA"
target=()
if [ -n "$MOMENT" ]; then target=(--type=time --target="$MOMENT" --target-action=promote); fi
pgbackrest_with_config "${target[@]}" restore
