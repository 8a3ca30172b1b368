#!/bin/bash
# Lets the repository go on with the cluster that runs, which is of another major version of PostgreSQL than its backups.
set -euo pipefail

# shellcheck source=ops/backup/settings.sh
. "$(dirname "$0")/settings.sh"

bash "$(dirname "$0")/write-config.sh"
pgbackrest_with_config stanza-upgrade
