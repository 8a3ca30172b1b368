#!/bin/bash
# Copies the cluster of a server without containers into a new one of another major version of PostgreSQL, which the system's
# packages must have: upgrade Debian or Ubuntu first. Run it as root.
#
#   upgrade-postgres.sh 17         copies; the old cluster is kept, stopped
#   upgrade-postgres.sh --forget   removes clusters that are stopped
set -euo pipefail

HERE="$(cd "$(dirname "$(readlink -f "$0")")" && pwd)"
# shellcheck source=ops/env-file.sh
. "$HERE/../env-file.sh"
# shellcheck source=ops/server/common.sh
. "$HERE/common.sh"
BACKUP_CONFIG=/etc/pgbackrest.conf
# Names the cluster.
SETTINGS=$ETC/server.env
UNITS=('gatehouse-api@*' gatehouse-keycloak)

main() {
  case ${1:-} in
    --forget) forget ;;
    [1-9][0-9]) upgrade "$1" ;;
    *) usage ;;
  esac
}

# Prints the comment at the top of this file.
usage() {
  sed -nE '2,/^set /s/^# ?//p' "$0" >&2
  exit 2
}

upgrade() {
  local major="$1" held name
  find_cluster
  held=$POSTGRES_VERSION name=$POSTGRES_CLUSTER
  [ "$POSTGRES_STATUS" = online ] || stop 'PostgreSQL is not running: systemctl start postgresql'
  [ "$held" != "$major" ] || stop "PostgreSQL is $held already."
  install_packages "$major"
  drop_empty "$major" "$name"
  echo "Copying the databases to PostgreSQL $major. Nobody can sign in or use records until then; public pages are served."
  control stop
  # A dump, not pg_upgrade: another system's ICU sorts differently, so every index of texts must be built again. It keeps port and
  # settings, and leaves the old cluster stopped. If it fails, the old one serves.
  if ! pg_upgradecluster --method=dump -v "$major" "$held" "$name"; then
    control start
    stop "PostgreSQL is $held as before."
  fi
  move_backups "$major" "$name"
  if [ -e $SETTINGS ]; then sed -i "s|^POSTGRES_CLUSTER=.*|POSTGRES_CLUSTER=\"$major/$name\"|" $SETTINGS; fi
  control start
  echo "PostgreSQL is $major, on port $POSTGRES_PORT. The cluster of $held is kept, stopped; remove it in some days: $0 --forget"
}

# Without the empty cluster that the package would create.
install_packages() {
  if [ -x "/usr/lib/postgresql/$1/bin/postgres" ]; then return; fi
  mkdir -p /etc/postgresql-common/createcluster.d
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/gatehouse.conf
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends "postgresql-$1" >/dev/null ||
    stop "This system has no PostgreSQL $1: upgrade it first."
}

# Some upgrades of the system make one.
drop_empty() {
  local databases
  if [ ! -d "/etc/postgresql/$1/$2" ]; then return; fi
  pg_ctlcluster "$1" "$2" start >/dev/null 2>&1 || true
  databases="$(cd / && PGCLUSTER="$1/$2" runuser -u postgres -- psql -Atc "select count(*) from pg_database where datname not in ('postgres', 'template0', 'template1')")"
  [ "$databases" = 0 ] ||
    stop "There is a cluster $1/$2 with databases already (pg_lsclusters): if nothing in it is needed, pg_dropcluster --stop $1 $2"
  pg_dropcluster --stop "$1" "$2"
}

# The patterns match nothing where a unit does not exist.
control() {
  if [ -d /run/systemd/system ]; then systemctl --all "$1" "${UNITS[@]}" || true; fi
}

# The archive goes on in the same repository.
move_backups() {
  local data
  if [ ! -e $BACKUP_CONFIG ]; then return; fi
  data="$(pg_conftool -s "$1" "$2" show data_directory)"
  sed -i "s|^pg1-path=.*|pg1-path=$data|" $BACKUP_CONFIG
  (cd / && runuser -u postgres -- pgbackrest --config=$BACKUP_CONFIG --stanza=gatehouse stanza-upgrade)
}

forget() {
  pg_lsclusters --no-header | awk '$4 ~ /^down/ { print $1, $2 }' | while read -r held name; do
    pg_dropcluster "$held" "$name"
    echo "Removed PostgreSQL $held $name."
  done
}

main "$@"
