# shellcheck shell=bash disable=SC2034 # used where it is sourced
# Sourced by the scripts of the image: with a bucket, every change is archived there within a minute.

ARCHIVE_OPTIONS=()
if [ -n "${BACKUP_BUCKET:-}" ]; then
  ARCHIVE_OPTIONS=(-c archive_mode=on -c archive_timeout=60s
    -c "archive_command=pgbackrest --config=/tmp/pgbackrest.conf --stanza=gatehouse archive-push %p")
fi
