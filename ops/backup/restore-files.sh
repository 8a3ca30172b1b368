#!/bin/bash
# Reads the files of the last backup, or says in a sentence why that is impossible.
#
#   restore-files.sh check           whether bucket, keys and pass phrase are right and there is a backup
#   restore-files.sh print FOLDER    this folder of the backup as tar
#   restore-files.sh print-attached  the files of records as tar; an empty one if the backup is of a release without them
set -euo pipefail

# shellcheck source=ops/backup/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=ops/read-secret.sh
. "$(dirname "$0")/../read-secret.sh"

main() {
  parse_bucket
  bash "$(dirname "$0")/write-config.sh"
  case $1 in
  check) check ;;
  print) run_restic dump --host gatehouse --archive tar latest "$2" ;;
  print-attached) print_attached ;;
  *) stop "There is no \"$1\"." ;;
  esac
}

# pgBackRest shows what the bucket answers, restic only whether it can decrypt.
check() {
  local answer
  if ! answer="$(timeout "$PROBE_SECONDS" pgbackrest --config="$PGBACKREST_CONFIG" --io-timeout=15 --repo1-path=/ repo-ls 2>&1)"; then
    stop "$(name_error "$answer")"
  fi
  if [[ $answer != *postgres* || $answer != *files* ]]; then
    stop "The bucket $BUCKET holds no backup of Gatehouse (BACKUP_BUCKET)."
  fi
  if ! answer="$(RESTIC_SECONDS=$PROBE_SECONDS run_restic snapshots --host gatehouse --quiet 2>&1)"; then
    case $answer in
    *'wrong password'*) stop 'The pass phrase is not that of this backup (BACKUP_PASS_PHRASE).' ;;
    *) stop "The files of the backup can't be read: $answer" ;;
    esac
  fi
}

print_attached() {
  local snapshots
  snapshots="$(run_restic snapshots --host gatehouse --latest 1 --json --quiet)"
  if [[ $snapshots == *"\"$ATTACHED_FILES\""* ]]; then
    run_restic dump --host gatehouse --archive tar latest "$ATTACHED_FILES"
  else
    tar -cf - -T /dev/null
  fi
}

name_error() {
  case $1 in
  *NoSuchBucket*) echo "There is no bucket $BUCKET at $ENDPOINT (BACKUP_BUCKET)." ;;
  *InvalidAccessKeyId* | *'access key ID'*) echo "$ENDPOINT does not know the access key (BACKUP_S3_KEY)." ;;
  *SignatureDoesNotMatch*) echo "The secret of the access key is wrong (BACKUP_S3_SECRET)." ;;
  *AccessDenied*) echo "The access key may not read the bucket $BUCKET (BACKUP_S3_KEY)." ;;
  *AuthorizationHeaderMalformed*) echo "The bucket $BUCKET is not in the region $BACKUP_REGION (BACKUP_REGION)." ;;
  *HostConnectError* | *'unable to get address'* | *'timeout'* | '') echo "$ENDPOINT does not answer on port $ENDPOINT_PORT (BACKUP_BUCKET)." ;;
  *certificate*) echo "The certificate of $ENDPOINT is not trusted: if its authority is your own, its certificate belongs into the kit." ;;
  *) echo "The bucket can't be read: $1" ;;
  esac
}

main "$@"
