# shellcheck shell=bash
# Sourced by ops/install.sh: Keycloak on this server (IDENTITY=here), and the realm, wherever Keycloak is.

KEYCLOAK_HOME=$HOME_DIR/keycloak
ARCHIVE_URL=https://github.com/keycloak/keycloak/releases/download
# To reach it at all.
FETCH_SECONDS=30

# Of this release, or a newer one: its tables allow no way back.
install_keycloak() {
  local installed
  if [ "$IDENTITY" != here ]; then return; fi
  read_env_file "$RELEASE/ops/keycloak/release.env"
  installed="$(cat $KEYCLOAK_HOME/release 2>/dev/null || true)"
  if [ "$(printf '%s\n' "$KEYCLOAK_VERSION" "$installed" | sort -V | tail -n 1)" = "$installed" ]; then return; fi
  say "Keycloak $KEYCLOAK_VERSION"
  if [ -n "$installed" ]; then
    # The way back to the version before is this backup.
    systemctl start gatehouse-backup.service
  fi
  unpack_keycloak
  if [ -n "$installed" ]; then systemctl stop gatehouse-keycloak; fi
  rm -rf $KEYCLOAK_HOME
  mv -T $KEYCLOAK_HOME.new $KEYCLOAK_HOME
}

unpack_keycloak() {
  local archive=${KEYCLOAK_ARCHIVE:-} name="keycloak-$KEYCLOAK_VERSION.tar.gz"
  DOWNLOADS="$(mktemp -d)"
  trap 'rm -rf "$DOWNLOADS"' EXIT
  if [ -z "$archive" ]; then
    archive="$DOWNLOADS/$name"
    fetch_keycloak --show-error --output "$archive"
  fi
  check_archive "$archive"
  rm -rf $KEYCLOAK_HOME.new
  install -d $KEYCLOAK_HOME.new
  tar -C $KEYCLOAK_HOME.new --strip-components=1 --no-same-owner -xzf "$archive"
  # Built once, so that starts skip it. Its advice is hidden.
  $KEYCLOAK_HOME.new/bin/kc.sh build --db=postgres >/dev/null
  chmod -R a+rX,go-w $KEYCLOAK_HOME.new
  install -d $KEYCLOAK_HOME.new/data
  echo "$KEYCLOAK_VERSION" >$KEYCLOAK_HOME.new/release
}

# With options of curl.
fetch_keycloak() {
  local name="keycloak-$KEYCLOAK_VERSION.tar.gz"
  curl --fail --silent --location "$@" "$ARCHIVE_URL/$KEYCLOAK_VERSION/$name" ||
    stop "Keycloak can't be fetched from GitHub: bring $name here and give it as KEYCLOAK_ARCHIVE=FILE."
}

check_archive() {
  echo "$KEYCLOAK_SHA256  $1" | sha256sum --check --status ||
    stop "$1 is not keycloak-$KEYCLOAK_VERSION.tar.gz of this release: its SHA-256 is not $KEYCLOAK_SHA256."
}

# For a restore: whether `up` would get Keycloak's archive, by the first byte of it.
require_keycloak() {
  if [ "$IDENTITY" != here ] || [ -e $KEYCLOAK_HOME/release ]; then return; fi
  read_env_file "$RELEASE/ops/keycloak/release.env"
  if [ -n "${KEYCLOAK_ARCHIVE:-}" ]; then
    check_archive "$KEYCLOAK_ARCHIVE"
  else
    fetch_keycloak --range 0-0 --max-time $FETCH_SECONDS --output /dev/null
  fi
}

# Again if a setting or what its pages show has changed, which it reads once.
start_keycloak() {
  local settings
  if [ "$IDENTITY" != here ]; then return; fi
  if ! id gatehouse-keycloak >/dev/null 2>&1; then
    useradd --system --home-dir $KEYCLOAK_HOME --shell /usr/sbin/nologin gatehouse-keycloak
  fi
  (cd "$RELEASE" && runuser -u gatehouse -- env -i PATH="$PATH" THEMES_DIR=$STATE/themes bin/node api/dist/theme.js)
  rm -rf $KEYCLOAK_HOME/password-blacklists
  cp -r "$RELEASE/ops/keycloak/password-blacklists" $KEYCLOAK_HOME
  if [ $HAS_SYSTEMD = no ]; then return; fi
  settings="$({ cat $ETC/keycloak.env /etc/systemd/system/gatehouse-keycloak.service $KEYCLOAK_HOME/password-blacklists/* &&
    same_tar -C $STATE themes; } | sha256sum)"
  systemctl enable --quiet gatehouse-keycloak
  if [ "$settings" != "$(cat $KEYCLOAK_HOME/started 2>/dev/null || true)" ]; then systemctl restart gatehouse-keycloak; fi
  systemctl start gatehouse-keycloak
  echo "$settings" >$KEYCLOAK_HOME/started
}

# Before the new release serves, because it may depend on the realm.
apply_realm() {
  if [ ! -e $ETC/realm.env ] || { [ "$IDENTITY" = here ] && [ $HAS_SYSTEMD = no ]; }; then return; fi
  say 'Realm'
  "$RELEASE/ops/server/gatehouse" realm
}

# Once nginx serves the pages the invitation leads to.
invite_owner() {
  if [ "$IDENTITY" != here ] || [ $HAS_SYSTEMD = no ] || [ -z "$(setting_of $ETC/realm.env OWNER_EMAIL)" ]; then return; fi
  "$RELEASE/ops/server/gatehouse" realm first-owner
}
