#!/bin/bash
# Notes when the recovery kit was shown, and of which bucket, for the doctor.
set -euo pipefail

# shellcheck source=ops/backup/settings.sh
. "$(dirname "$0")/settings.sh"

note="$(dirname "$BACKUP_STATUS_FILE")/kit.json"
printf '{"shownAt":"%s","bucket":"%s"}\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$BACKUP_BUCKET" >"$note.new"
mv "$note.new" "$note"
