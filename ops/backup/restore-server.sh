#!/bin/bash
# Restores settings, secrets, site and cluster of a server onto an empty one that has PostgreSQL of the same major version. Run as
# root; ops/install.sh afterwards installs the programs and sets the passwords of the roles. Reads the recovery kit, pasted or from stdin.
#
#   restore-server.sh ['2026-01-31 14:05:09+00']
#
#   KIT_PROGRAM       command of api/dist/kit.js
#   KEYCLOAK_ARCHIVE  as in ops/install.sh
set -euo pipefail
umask 077

HERE="$(cd "$(dirname "$0")" && pwd)"
RELEASE="$(cd "$HERE/../.." && pwd)"
# shellcheck source=ops/env-file.sh
. "$HERE/../env-file.sh"
for part in common system keycloak; do
  # shellcheck source=/dev/null
  . "$HERE/../server/$part.sh"
done
ATTACHED=/var/lib/gatehouse/files
MOMENT="${1:-}"
: "${KIT_PROGRAM:?}"

# Not by systemd, which would say why it failed in the journal alone.
ctl() { pg_ctlcluster --skip-systemctl-redirect "$VERSION" "$CLUSTER" "$@"; }
as_postgres() { (cd / && PGPORT=$PORT runuser -u postgres -- "$@"); }

main() {
  case $MOMENT in
  '' | [0-9]*-[0-9]*\ [0-9]*:[0-9]*[+-][0-9]*) ;;
  *) stop "Give the moment with its zone: '2026-01-31 14:05:09+00'" ;;
  esac
  (umask 022 && install_packages)
  refuse_installation
  KIT="$(mktemp -d)"
  trap 'rm -rf "$KIT"' EXIT
  # shellcheck disable=SC2086
  $KIT_PROGRAM read --folder "$KIT"
  read_env_file "$KIT/env"
  export BACKUP_BUCKET BACKUP_REGION PGDATA=$DATA
  export SECRETS_DIR=$KIT/secrets AUTHORITY_FILE=$KIT/tls/authority.pem PGBACKREST_CONFIG=$KIT/pgbackrest.conf
  bash "$HERE/restore-files.sh" check
  bash "$HERE/restore-files.sh" print $ETC >"$KIT/etc.tar"
  check_keycloak
  say 'Settings, secrets and site'
  restore_files
  say 'Files of records'
  restore_attached
  say 'Database'
  restore_cluster
}

refuse_installation() {
  [ ! -e $ETC/env ] || stop "There is an installation in $ETC, which a restore never replaces."
  [ -z "$(ls -A $ATTACHED 2>/dev/null)" ] || stop "There are files in $ATTACHED, which a restore never replaces."
  local clusters
  mapfile -t clusters < <(pg_lsclusters --no-header | awk '{ print $1, $2, $3, $6 }')
  [ ${#clusters[@]} = 1 ] || stop "The server must have one PostgreSQL cluster, not ${#clusters[@]} (pg_lsclusters)."
  read -r VERSION CLUSTER PORT DATA <<<"${clusters[0]}"
  ctl start >/dev/null 2>&1 || true
  [ "$(as_postgres psql -Atc "select count(*) from pg_database where datname in ('gatehouse', 'keycloak')")" = 0 ] ||
    stop "The cluster $VERSION/$CLUSTER has a database of an installation, which a restore never replaces."
}

# ops/install.sh would find out when everything is restored.
check_keycloak() {
  tar -xOf "$KIT/etc.tar" --wildcards '*etc/gatehouse/server.env' >"$KIT/server.env" 2>/dev/null || return 0
  IDENTITY="$(setting_of "$KIT/server.env" IDENTITY)"
  (require_keycloak) || stop 'Nothing was restored.'
}

# Owners are restored by name, so they must exist.
restore_files() {
  local user
  bash "$HERE/restore-files.sh" print /var/lib/gatehouse/notice >"$KIT/notice.tar"
  for user in $(tar -tvf "$KIT/etc.tar" | awk '{ sub("/", "\n", $2); print $2 }' | sort -u | grep ^gatehouse) gatehouse; do
    if ! id "$user" >/dev/null 2>&1; then useradd --system --home-dir /opt/gatehouse --shell /usr/sbin/nologin "$user"; fi
  done
  install -d -m 0750 -g gatehouse $ETC
  install -d -m 0755 /var/lib/gatehouse
  install -d -m 0755 -o gatehouse -g gatehouse /var/lib/gatehouse/notice
  tar -C / -xpf "$KIT/etc.tar"
  tar -C / -xpf "$KIT/notice.tar"
  install -d -m 0700 $ETC/secrets
  cp "$KIT"/secrets/* $ETC/secrets
  if [ -e "$AUTHORITY_FILE" ]; then install -D -m 0644 "$AUTHORITY_FILE" $ETC/tls/authority.pem; fi
  {
    env_line BACKUP_BUCKET "$BACKUP_BUCKET"
    env_line BACKUP_REGION "$BACKUP_REGION"
    env_line PGPORT "$PORT"
  } >$ETC/backup.env
  if [ -e $ETC/server.env ]; then sed -i "s|^POSTGRES_CLUSTER=.*|POSTGRES_CLUSTER=\"$VERSION/$CLUSTER\"|" $ETC/server.env; fi
}

# They are those of the last backup: its moment and those before it have all of theirs.
restore_attached() {
  install -d -m 2750 -o gatehouse -g www-data $ATTACHED
  if ! bash "$HERE/restore-files.sh" print-attached | tar -C / -xpf -; then
    remove_files
    stop 'Nothing was restored: the reason is above.'
  fi
}

remove_files() {
  rm -rf $ETC /var/lib/gatehouse/notice
  # The folder may be a disk of its own.
  find $ATTACHED -mindepth 1 -delete
}

# The empty cluster is stored beside the restored one until that runs.
restore_cluster() {
  local empty=$DATA.empty
  ctl stop
  mv "$DATA" "$empty"
  install -d -m 0700 -o postgres -g postgres "$DATA"
  export SECRETS_DIR=$ETC/secrets AUTHORITY_FILE=$ETC/tls/authority.pem PGBACKREST_CONFIG=/etc/pgbackrest.conf PGPORT=$PORT
  install -m 0600 -o postgres -g postgres /dev/null $PGBACKREST_CONFIG
  if ! bash "$HERE/restore-database.sh" ${MOMENT:+"$MOMENT"} || ! has_version || ! replay; then
    ctl stop --mode immediate 2>/dev/null || true
    rm -rf "$DATA"
    remove_files
    mv "$empty" "$DATA"
    stop 'Nothing was restored: the reason is above.'
  fi
  # ops/install.sh starts it as a service.
  ctl stop
  rm -rf "$empty"
}

has_version() {
  [ "$(cat "$DATA/PG_VERSION")" = "$VERSION" ] && return
  echo "The backup is of PostgreSQL $(cat "$DATA/PG_VERSION"), and this server has $VERSION: install that one." >&2
  return 1
}

# Ends as primary; PostgreSQL ends if the archive ends before the moment.
replay() {
  ctl start || return
  until [ "$(as_postgres psql -Atc 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; do
    ctl status >/dev/null || return
    sleep 1
  done
}

main
