#!/bin/bash
# Writes pgBackRest's configuration from settings and secrets: with BACKUP_BUCKET a repository there, otherwise one in
# BACKUP_FOLDER. Encrypted before anything leaves the machine, wherever the repository is.
set -euo pipefail
umask 077

# shellcheck source=ops/backup/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=ops/read-secret.sh
. "$(dirname "$0")/../read-secret.sh"

repository() {
  local key secret
  if [ -z "$BACKUP_BUCKET" ]; then
    echo "repo1-path=${BACKUP_FOLDER:?is needed without BACKUP_BUCKET}"
    return
  fi
  parse_bucket
  key="$(read_secret backup_s3_key 1)"
  secret="$(read_secret backup_s3_secret 1)"
  cat <<END_OF_BUCKET
repo1-type=s3
repo1-path=/postgres
repo1-s3-bucket=$BUCKET
repo1-s3-endpoint=$ENDPOINT
repo1-storage-port=$ENDPOINT_PORT
repo1-s3-region=$BACKUP_REGION
repo1-s3-uri-style=path
repo1-s3-key=$key
repo1-s3-key-secret=$secret
repo1-storage-ca-file=$AUTHORITIES
END_OF_BUCKET
}

pass_phrase="$(read_secret backup_pass_phrase 16)"
{
  echo '[global]'
  repository
  cat <<END_OF_OPTIONS
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=$pass_phrase
repo1-bundle=y
compress-type=zst
process-max=2
start-fast=y
lock-path=${LOCK_DIRECTORY:-/tmp/pgbackrest}
log-level-file=off
log-level-console=warn

[gatehouse]
pg1-path=$PGDATA
pg1-port=${PGPORT:-5432}
pg1-socket-path=${SOCKET_DIRECTORY:-/var/run/postgresql}
END_OF_OPTIONS
} >"$PGBACKREST_CONFIG.new"
# Into the file that there is, which keeps its owner and mode.
cat "$PGBACKREST_CONFIG.new" >"$PGBACKREST_CONFIG"
rm "$PGBACKREST_CONFIG.new"

cat /etc/ssl/certs/ca-certificates.crt >"$AUTHORITIES"
if [ -e "$AUTHORITY_FILE" ]; then cat "$AUTHORITY_FILE" >>"$AUTHORITIES"; fi
chmod 0644 "$AUTHORITIES"
