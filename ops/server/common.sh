# shellcheck shell=bash disable=SC2034 # used where it is sourced
# Sourced by ops/install.sh and the programs of this folder: places, settings, and what several of them do.

HOME_DIR=/opt/gatehouse
ETC=/etc/gatehouse
STATE=/var/lib/gatehouse
# certbot's, which makes it.
CERTIFICATES=/var/lib/gatehouse-certificates
SITE=$ETC/site
SITE_FILE=$SITE/site.json
# The authority of a private network, for services that may not enter /etc/gatehouse.
TRUSTED=$HOME_DIR/trusted/tls/authority.pem
# Five minutes, as in containers: the first pages are written before.
READY_TRIES=600
# Longer than nginx's fail_timeout, after which it tries a replica again.
SETTLE_SECONDS=2
# Exit code of ops/install.sh.
SERVES_WITH_FAILURES=3
HAS_SYSTEMD=no
if [ -d /run/systemd/system ]; then HAS_SYSTEMD=yes; fi

say() { echo "— $*"; }
stop() {
  echo "$*" >&2
  exit 1
}

write() {
  install -m "$1" -g gatehouse /dev/null "$2"
  cat >"$2"
}

# In /: postgres may not enter the current directory.
as_postgres() { (cd / && PGPORT=${POSTGRES_PORT:?} runuser -u postgres -- "$@"); }

# Sets the setting $2 in the file $1 to $3. Leaves the file as it is if that is its value.
set_setting() {
  local line
  line="$(env_line "$2" "$3")"
  if grep -qsxF -- "$line" "$1"; then return; fi
  # In the same file, which keeps its owner and mode.
  if grep -qs "^$2=" "$1"; then sed -i "/^$2=/d" "$1"; fi
  printf '%s\n' "$line" >>"$1"
}

# The value of the setting $2 in the file $1; empty if it has none.
setting_of() (
  unset -v "$2"
  if [ -e "$1" ]; then read_env_file "$1"; fi
  printf %s "${!2:-}"
)

# The release's own, without which nothing is built or served.
node_of() {
  local own="$1/bin/node"
  if [ ! -e "$own" ]; then own="$1/bin/node-$(dpkg --print-architecture)"; fi
  [ -x "$own" ] || stop "This release has no Node for $(dpkg --print-architecture)."
  echo "$own"
}

version_of() { sed -nE 's/^  "version": "(.*)",/\1/p' "$1/package.json"; }

site_host() { "$(node_of "$RELEASE")" -p 'new URL(JSON.parse(fs.readFileSync(process.argv[1])).site.url).host' $SITE_FILE; }

# Of the settings, or the only one there is: POSTGRES_VERSION, _CLUSTER, _PORT, _STATUS, _DATA and _UNIT.
find_cluster() {
  local named clusters line
  named="$(setting_of $ETC/server.env POSTGRES_CLUSTER)"
  if [[ ${POSTGRES_CLUSTER:-} == */* ]]; then named=$POSTGRES_CLUSTER; fi
  mapfile -t clusters < <(pg_lsclusters --no-header)
  if [ -z "$named" ]; then
    [ ${#clusters[@]} = 1 ] || stop "There are ${#clusters[@]} PostgreSQL clusters (pg_lsclusters): name one in POSTGRES_CLUSTER, as in 17/main."
    line="${clusters[0]}"
  else
    line="$(printf '%s\n' "${clusters[@]}" | awk -v named="$named" '$1 "/" $2 == named')"
    [ -n "$line" ] || stop "There is no PostgreSQL cluster $named (pg_lsclusters), which $ETC/server.env names."
  fi
  read -r POSTGRES_VERSION POSTGRES_CLUSTER POSTGRES_PORT POSTGRES_STATUS _ POSTGRES_DATA _ <<<"$line"
  POSTGRES_UNIT=postgresql@$POSTGRES_VERSION-$POSTGRES_CLUSTER
}

# Restarts replicas one by one, each after the previous one is ready and nginx sends it requests again.
restart_replicas() {
  local port
  for port in $API_PORTS; do
    systemctl restart "gatehouse-api@$port"
    until_ready "$port"
    sleep $SETTLE_SECONDS
  done
}

until_ready() {
  local try
  for ((try = 0; try < READY_TRIES; try++)); do
    if responds "$1" /readyz; then return; fi
    sleep 0.5
  done
  stop "The API on port $1 did not become ready: journalctl -u gatehouse-api@$1"
}

# Whether a program of this machine responds with 200 on port $1 to path $2.
responds() {
  (exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET %s HTTP/1.0\r\n\r\n' "$2" >&3 && grep -q ' 200 ' <&3) 2>/dev/null
}

# Reproducible: equal files give equal archives, regardless of time and owner.
same_tar() {
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a+rX --exclude=node_modules --exclude=.git -cf - "$@"
}
