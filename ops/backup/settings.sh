# shellcheck shell=bash disable=SC2034 # used where it is sourced
# Sourced by the programs of this folder. The defaults are those of the containers; a server sets its own.

# https://ENDPOINT[:PORT]/BUCKET. It holds pgBackRest's repository below /postgres and restic's below /files.
export BACKUP_BUCKET="${BACKUP_BUCKET:-}" BACKUP_REGION="${BACKUP_REGION:-us-east-1}"
export SECRETS_DIR="${SECRETS_DIR:-/run/secrets}"
PGBACKREST_CONFIG="${PGBACKREST_CONFIG:-/tmp/pgbackrest.conf}"
BACKUP_STATUS_FILE="${BACKUP_STATUS_FILE:-/var/lib/gatehouse/backup/status.json}"
# Of records; in a bucket they are its host's to copy.
ATTACHED_FILES=/var/lib/gatehouse/files
# Of a private network, trusted besides the system's.
AUTHORITY_FILE="${AUTHORITY_FILE:-/etc/gatehouse/tls/authority.pem}"
AUTHORITIES="${PGBACKREST_CONFIG%.conf}-authorities.pem"
# With the repository away some commands would wait for minutes.
PROBE_SECONDS=30

stop() {
  echo "$*" >&2
  exit 1
}

# pgBackRest runs as user postgres, restic on a server as root.
as_postgres() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

# By option, not by environment: a restore writes it into restore_command, which PostgreSQL runs.
pgbackrest_with_config() { as_postgres pgbackrest --config="$PGBACKREST_CONFIG" --stanza=gatehouse "$@"; }

parse_bucket() {
  [[ $BACKUP_BUCKET =~ ^https://([A-Za-z0-9.-]+)(:([0-9]+))?/([a-z0-9][a-z0-9.-]+)$ ]] ||
    stop "BACKUP_BUCKET must be https://, the endpoint, / and the bucket's name, not \"$BACKUP_BUCKET\"."
  ENDPOINT=${BASH_REMATCH[1]} ENDPOINT_PORT=${BASH_REMATCH[3]:-443} BUCKET=${BASH_REMATCH[4]}
}

# restic's settings are environment variables; after write-config.sh, which writes the authorities.
run_restic() {
  RESTIC_REPOSITORY="s3:$BACKUP_BUCKET/files" RESTIC_PASSWORD="$(read_secret backup_pass_phrase 16)" \
    AWS_ACCESS_KEY_ID="$(read_secret backup_s3_key 1)" AWS_SECRET_ACCESS_KEY="$(read_secret backup_s3_secret 1)" \
    AWS_DEFAULT_REGION="$BACKUP_REGION" SSL_CERT_FILE="$AUTHORITIES" \
    timeout "${RESTIC_SECONDS:-0}" restic --no-cache --option s3.bucket-lookup=path "$@"
}
