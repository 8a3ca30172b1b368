#!/bin/bash
# Installs Gatehouse on one server with Debian 12, without containers. Run it as root from a checkout: the first time it
# installs, afterwards it upgrades to that checkout, or to a changed /etc/gatehouse/site: site.json, pictures and notice need
# only a restart, code and texts a build. Safe to repeat: changes only what differs, and the old release serves until the new
# one is complete.
#
#   OIDC_ISSUER=https://id.mine.ie/realms/gatehouse SMTP_URL=smtp://relay.mine.ie:587 ops/install.sh
#
#   OIDC_ISSUER       the realm of the identity provider; needed the first time
#   SMTP_URL          the mail relay; without it mails are queued, and the doctor fails
#   TLS_CERTIFICATE   and TLS_KEY: of the public address; if missing, a self-signed one that browsers reject
#   API_PORTS         a replica of the API on each ("8081 8082"); a single one is unavailable while it is replaced
#   HTTPS_PORT        and HTTP_PORT: ports of nginx (443 and 80)
#   IDENTITY_ADMIN_URL  and REALM_SECRET: Keycloak's own address and the secret of its account realm-apply; with them each run
#                     applies this release's realm
#   ADMIN_MFA         off: admins need no second factor (on)
#   PROXIES_IN_FRONT  load balancers or CDNs whose X-Forwarded-For is trusted ("10.0.0.0/8 192.0.2.7"); none by default
#
# The first run stores its variables in /etc/gatehouse; an upgrade needs none.
set -euo pipefail
umask 022

SOURCE="$(cd "$(dirname "$0")/.." && pwd)"
# shellcheck source=ops/env-file.sh
. "$SOURCE/ops/env-file.sh"
HOME_DIR=/opt/gatehouse
ETC=/etc/gatehouse
STATE=/var/lib/gatehouse
SITE=$ETC/site
SITE_FILE=$SITE/site.json
BACKUPS=/var/backups/gatehouse
BACKUP_CONFIG=/etc/pgbackrest.conf
PACKAGES=(ca-certificates chromium gettext-base libnginx-mod-http-brotli-static nginx-light npm openssl pgbackrest postgresql)
READY_TRIES=120
# Per worker of nginx.
NGINX_CONNECTIONS=8192
# Longer than nginx's fail_timeout below, after which it tries a replica again.
SETTLE_SECONDS=2

main() {
  if [ $# -gt 0 ]; then usage; fi
  [ "$(id -u)" = 0 ] || stop 'Run it as root.'
  [ -e /etc/debian_version ] || stop 'This is for Debian.'
  look_for_systemd
  install_packages
  make_places
  limit_logs
  start_postgres
  remember_settings
  make_database
  archive_changes
  make_release
  write_commands
  check_site
  migrate
  apply_realm
  switch_release
  start_api
  start_nginx
  remove_old_releases
  plan_backups
  examine
}

# Prints the comment at the top of this file.
usage() {
  sed -nE '2,/^set /s/^# ?//p' "$0" >&2
  exit 2
}

say() { echo "— $*"; }
stop() {
  echo "$*" >&2
  exit 1
}

look_for_systemd() {
  HAS_SYSTEMD=no
  if [ -d /run/systemd/system ]; then HAS_SYSTEMD=yes; return; fi
  say 'systemd is not running: installing everything, but starting only PostgreSQL.'
}

install_packages() {
  local missing=() name
  for name in "${PACKAGES[@]}"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  if [ ${#missing[@]} = 0 ]; then return; fi
  say "Packages: ${missing[*]}"
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends "${missing[@]}" >/dev/null
}

make_places() {
  if ! id gatehouse >/dev/null 2>&1; then
    useradd --system --home-dir $HOME_DIR --shell /usr/sbin/nologin gatehouse
  fi
  install -d $HOME_DIR $HOME_DIR/releases $STATE $STATE/site $STATE/acme
  install -d -o gatehouse -g gatehouse $STATE/pages $STATE/notice $STATE/themes
  install -d -m 0750 -g gatehouse $ETC
  install -d -m 0750 -o postgres -g postgres $BACKUPS
  install -d -m 0755 -o postgres -g postgres $STATE/backup
  make_site
}

# The site's folder belongs to the deployer: releases never write to it. A fork may commit one.
make_site() {
  if [ -d "$SOURCE/site" ]; then
    install -d $SITE
    find $SITE -mindepth 1 -maxdepth 1 ! -name notice -exec rm -r {} +
    cp -rT "$SOURCE/site" $SITE
  elif [ ! -e $SITE_FILE ] && [ -e $ETC/site.json ]; then
    adopt_old_site
  elif [ ! -e $SITE_FILE ]; then
    say "$SITE is the sample: replace its content with yours and run this again."
    install -d $SITE
    cp -rnT "$SOURCE/sample" $SITE
  fi
  if [ ! -d $SITE/notice ]; then cp -r "$SOURCE/sample/notice" $SITE/notice; fi
  # From then on they are a history of this server.
  if [ -z "$(ls -A $STATE/notice)" ]; then runuser -u gatehouse -- cp $SITE/notice/*.json $STATE/notice; fi
}

# Before the folder existed, its files were in /etc/gatehouse, where the previous release still reads them.
adopt_old_site() {
  say "Moving $ETC/site.json, its pictures and the notice to $SITE"
  install -d $SITE
  (cd $ETC && find . -name '*.svg' ! -path './site/*' -print0 | xargs -0r cp --parents -t $SITE)
  mv $ETC/site.json $SITE_FILE
  ln -s $SITE_FILE $ETC/site.json
  if [ ! -d $ETC/notice ]; then return; fi
  mv $ETC/notice $SITE/notice
  ln -s $SITE/notice $ETC/notice
}

# The notice says "Technical logs: 12 months". A month less, because journald deletes full files.
limit_logs() {
  local file=/etc/systemd/journald.conf.d/gatehouse.conf
  if [ -e $file ]; then return; fi
  install -d /etc/systemd/journald.conf.d
  printf '[Journal]\nMaxRetentionSec=11month\n' >$file
  if [ $HAS_SYSTEMD = yes ]; then systemctl try-restart systemd-journald; fi
}

start_postgres() {
  local version cluster status
  read -r version cluster POSTGRES_PORT status _ POSTGRES_DATA _ < <(pg_lsclusters --no-header)
  POSTGRES_UNIT=$version-$cluster
  if [ "$status" = online ]; then return; fi
  say "Starting PostgreSQL $version"
  if [ $HAS_SYSTEMD = yes ]; then
    systemctl enable --quiet --now "postgresql@$version-$cluster"
  else
    pg_ctlcluster "$version" "$cluster" start
  fi
}

# Generated once. Only migrations need to alter tables, so the API does not get that password.
remember_settings() {
  if [ ! -e $ETC/env ]; then
    say "Settings: $ETC/env"
    : "${OIDC_ISSUER:?is needed the first time: the address of the realm, as in https://id.mine.ie/realms/gatehouse}"
    {
      echo "# Settings of the API: .env.example explains them all. After a change: ops/install.sh, or systemctl restart 'gatehouse-api@*'"
      env_line DATABASE_URL "postgres://gatehouse_app:$(openssl rand -hex 24)@127.0.0.1:$POSTGRES_PORT/gatehouse"
      env_line OIDC_ISSUER "$OIDC_ISSUER"
      env_line SMTP_URL "${SMTP_URL:-}"
      env_line BACKUP_STATUS_FILE $STATE/backup/status.json
      env_line ADMIN_MFA "${ADMIN_MFA:-on}"
    } | write 0640 $ETC/env
  fi
  remember_places
  remember_realm
  if [ ! -e $ETC/migrate.env ]; then
    env_line DATABASE_MIGRATION_URL \
      "postgres://gatehouse_migrate:$(openssl rand -hex 24)@127.0.0.1:$POSTGRES_PORT/gatehouse" | write 0600 $ETC/migrate.env
  fi
  if [ ! -e $ETC/proxy.env ]; then
    {
      env_line TLS_CERTIFICATE "${TLS_CERTIFICATE:-$ETC/tls/certificate.pem}"
      env_line TLS_KEY "${TLS_KEY:-$ETC/tls/key.pem}"
      env_line API_PORTS "${API_PORTS:-8081 8082}"
      env_line HTTPS_PORT "${HTTPS_PORT:-443}"
      env_line HTTP_PORT "${HTTP_PORT:-80}"
      env_line PROXIES_IN_FRONT "${PROXIES_IN_FRONT:-}"
    } | write 0644 $ETC/proxy.env
  fi
  read_env_file $ETC/env
  read_env_file $ETC/migrate.env
  if [ -e $ETC/realm.env ]; then read_env_file $ETC/realm.env; fi
  # Before the deployer's own, which takes precedence.
  read_env_file "$SOURCE/ops/nginx/limits.env"
  read_env_file $ETC/proxy.env
  # The build runs third-party code, which must not read passwords.
  export -n DATABASE_URL DATABASE_MIGRATION_URL SMTP_URL REALM_SECRET IDENTITY_SERVICE_SECRET
}

# Where the API writes. An older installation lacks some.
remember_places() {
  local name
  for name in PAGES_DIR:pages NOTICE_DIR:notice THEMES_DIR:themes; do
    if ! grep -q "^${name%:*}=" $ETC/env; then env_line "${name%:*}" "$STATE/${name#*:}" >>$ETC/env; fi
  done
}

# Only applying the realm needs its secret, so the API does not get it.
remember_realm() {
  # An older installation: until the realm is applied, no admin's token contains the second factor.
  if ! grep -q '^ADMIN_MFA=' $ETC/env && [ -z "${REALM_SECRET:-}" ]; then
    say "Admins need no second factor yet: apply the realm, then set ADMIN_MFA=on in $ETC/env (docs/operating.md)."
    env_line ADMIN_MFA off >>$ETC/env
  fi
  if [ -z "${REALM_SECRET:-}" ] || [ -e $ETC/realm.env ]; then return; fi
  : "${IDENTITY_ADMIN_URL:?is needed with REALM_SECRET: the address of Keycloak itself, as in http://10.0.0.7:8080}"
  {
    echo '# Settings of realm-apply: .env.example explains them.'
    env_line REALM_SECRET "$REALM_SECRET"
  } | write 0600 $ETC/realm.env
  {
    env_line IDENTITY_ADMIN_URL "$IDENTITY_ADMIN_URL"
    env_line IDENTITY_SERVICE_SECRET "$(openssl rand -hex 24)"
    env_line OIDC_OWNER_PATH owner
  } >>$ETC/env
}

write() {
  install -m "$1" -g gatehouse /dev/null "$2"
  cat >"$2"
}

make_database() {
  as_postgres psql -q -v ON_ERROR_STOP=1 <"$SOURCE/ops/roles.sql"
  APP_PASSWORD="$(password_of "$DATABASE_URL")" MIGRATE_PASSWORD="$(password_of "$DATABASE_MIGRATION_URL")" \
    as_postgres psql -q -v ON_ERROR_STOP=1 <<'END'
-- Passwords appear neither in the process list nor in the server's log.
\getenv app APP_PASSWORD
\getenv migrate MIGRATE_PASSWORD
set log_statement = 'none';
set log_min_error_statement = 'panic';
alter role gatehouse_app password :'app';
alter role gatehouse_migrate password :'migrate';
END
  if [ "$(as_postgres psql -Atc "select 1 from pg_database where datname = 'gatehouse'")" != 1 ]; then
    say 'Database: gatehouse'
    # ICU collation: natural order, the same on every machine.
    as_postgres createdb --owner=gatehouse_migrate --template=template0 --encoding=UTF8 --locale=C.UTF-8 \
      --locale-provider=icu --icu-locale=en gatehouse
  fi
}

# In /: postgres may not enter the current directory.
as_postgres() { (cd / && PGPORT=$POSTGRES_PORT runuser -u postgres -- "$@"); }
# Decodes percent-encoding, such as %24 in a URL.
password_of() { printf '%b' "$(sed -E 's|^[^:]+://[^:]+:([^@]+)@.*|\1|; s|\\|\\\\|g; s|%([0-9A-Fa-f]{2})|\\x\1|g' <<<"$1")"; }

make_release() {
  cd "$SOURCE"
  RELEASE="$(release_name)"
  if [ -d "$RELEASE" ]; then return; fi
  say "Building $RELEASE"
  NEW=$HOME_DIR/releases/new
  rm -rf $NEW
  install -d -o gatehouse -g gatehouse $NEW
  tar_of_source | runuser -u gatehouse -- tar -C $NEW -xf - --no-same-owner
  cd $NEW
  runuser -u gatehouse -- cp -rT $SITE site
  # Configuration counts at the next start, code with the release.
  ln -sf $SITE_FILE site/site.json
  as_builder ops/bring-node.sh $NEW/.node
  as_builder npm ci
  check_notice
  as_builder npm run --silent site:check
  as_builder node web/build.ts
  as_builder node api/build.ts
  keep_old_scripts
  as_builder node tools/site/nginx-paths.ts .
  install -D .node/bin/node bin/node
  # The built programs are bundled and need no packages.
  rm -rf .home .node node_modules {api,e2e,model,web}/node_modules
  # The service user can't modify the release.
  chown -R root:root .
  mv -T $NEW "$RELEASE"
}

# Named by a hash of all sources, so that the same release is not built twice and changed code of the site makes a new one.
release_name() {
  local version hash
  version="$(sed -nE 's/^  "version": "(.*)",/\1/p' "$SOURCE/package.json")"
  hash="$({ tar_of_source && same_tar --exclude=./site.json --exclude=./notice --exclude='*.svg' -C $SITE .; } | sha256sum | cut -c1-12)"
  echo "$HOME_DIR/releases/$version-$hash"
}

tar_of_source() {
  same_tar --exclude=dist --exclude=dist-server -C "$SOURCE" \
    package.json package-lock.json .npmrc .squawk.toml model api web e2e/package.json tools ops sample
}

# Reproducible: equal files give equal archives, regardless of time and owner.
same_tar() {
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a+rX --exclude=node_modules --exclude=.git -cf - "$@"
}

as_builder() {
  runuser -u gatehouse -- env HOME=$NEW/.home PATH="$NEW/.node/bin:$PATH" NOTICE_DIR=$STATE/notice "$@"
}

# An unreleased version may be regenerated; a released one needs a new version with its date.
check_notice() {
  if as_builder npm run --silent notice:check; then return; fi
  as_builder npm run --silent notice:write ||
    stop "Write a new version: in $NEW, NOTICE_DIR=$STATE/notice npm run notice:write -- --date 2026-01-31 --summary '…'; then run this again."
}

# Makes what needs a browser, and fails on what would keep the API from starting: an invalid configuration, or a released notice
# that no longer matches. Without passwords: it starts a browser.
check_site() {
  say 'Site'
  (cd "$RELEASE" && runuser -u gatehouse -- env -i PATH="$PATH" HOME=/tmp NODE_ENV=production \
    DATABASE_URL=none OIDC_ISSUER="$OIDC_ISSUER" PAGES_DIR=$STATE/pages NOTICE_DIR=$STATE/notice bin/node api/dist/print.js) ||
    stop "Correct $SITE, or write a new version of the notice (gatehouse-notice --date 2026-01-31 --summary '…'); then run this again."
}

# Commands of the release for whoever runs the server.
write_commands() {
  write 0755 /usr/local/sbin/gatehouse-notice <<END
#!/bin/bash
# Adds a version of the privacy notice: gatehouse-notice --date 2026-01-31 --summary 'What changed'. Run as root.
cd "\${RELEASE:-$HOME_DIR/current}" && exec runuser -u gatehouse -- env NOTICE_DIR=$STATE/notice bin/node api/dist/notice.js "\$@"
END
}

# Pages opened before the switch still load the scripts of their release.
keep_old_scripts() {
  as_builder mkdir web/dist/previous
  as_builder ln -s $HOME_DIR/previous/web/dist/static web/dist/previous/static
}

migrate() { (cd "$RELEASE" && DATABASE_MIGRATION_URL="$DATABASE_MIGRATION_URL" bin/node api/dist/migrate.js); }

# Before the new release serves, because it may depend on the realm.
apply_realm() {
  write 0755 /usr/local/sbin/gatehouse-realm <<END
#!/bin/bash
# Applies this release's realm; --check changes nothing. Run as root.
cd "\${RELEASE:-$HOME_DIR/current}"
. ops/env-file.sh
set -a
read_env_file $ETC/env
read_env_file $ETC/realm.env
NODE_ENV=production exec bin/node api/dist/realm.js "\$@"
END
  if [ ! -e $ETC/realm.env ]; then return; fi
  say 'Realm'
  RELEASE="$RELEASE" gatehouse-realm
}

# A release that never became ready is tried again, and is not kept for a downgrade.
switch_release() {
  local served site
  # First: pages of the new release may need settings that the old file lacks.
  write_config_json
  served="$(sed -n 1p $STATE/served 2>/dev/null || true)"
  site="$(sed -n 2p $STATE/served 2>/dev/null || true)"
  IS_NEW=no
  if [ "$served" != "$RELEASE" ] || [ "$site" != "$(hash_of_site)" ] || [ $ETC/env -nt $STATE/served ]; then IS_NEW=yes; fi
  if [ "$(readlink $HOME_DIR/current || true)" = "$RELEASE" ]; then return; fi
  IS_NEW=yes
  say "Serving $RELEASE"
  # First, so that open pages always find their scripts.
  if [ -n "$served" ] && [ "$served" != "$RELEASE" ]; then point previous "$served"; fi
  point current "$RELEASE"
}

# Its configuration counts at the next start.
hash_of_site() { { same_tar -C $SITE . && same_tar -C $STATE notice; } | sha256sum; }

# Settings of the site that its pages read: one build for every deployment.
write_config_json() {
  printf '{"authority":"%s","clientId":"gatehouse-web","returnUrl":"%s","adminMfa":"%s","acrMfa":"%s","acrFresh":"%s","ownerPath":"%s","productPages":true}\n' \
    "$OIDC_ISSUER" "${SIGN_IN_RETURN_URL:-state}" "${ADMIN_MFA:-on}" \
    "${OIDC_ACR_MFA:-mfa}" "${OIDC_ACR_FRESH:-fresh}" "${OIDC_OWNER_PATH:-}" >$STATE/site/config.json
}

# Atomic: the link always exists.
point() {
  ln -sfn "$2" "$HOME_DIR/$1.new"
  mv -T "$HOME_DIR/$1.new" "$HOME_DIR/$1"
}

# Restarts replicas one by one, each after the previous one is ready and nginx sends it requests again.
start_api() {
  local port
  if [ $HAS_SYSTEMD = no ]; then return; fi
  install -m 0644 "$RELEASE"/ops/systemd/* "$RELEASE"/ops/backup/gatehouse-backup.* /etc/systemd/system/
  systemctl daemon-reload
  for port in $API_PORTS; do
    systemctl enable --quiet "gatehouse-api@$port"
    if [ $IS_NEW = yes ]; then systemctl restart "gatehouse-api@$port"; fi
    systemctl start "gatehouse-api@$port"
    until_ready "$port"
    if [ $IS_NEW = yes ]; then sleep $SETTLE_SECONDS; fi
  done
  if [ $IS_NEW = yes ]; then printf '%s\n' "$RELEASE" "$(hash_of_site)" >$STATE/served; fi
}

until_ready() {
  local try
  for ((try = 0; try < READY_TRIES; try++)); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3 && grep -q ' 200 ' <&3) 2>/dev/null; then
      return
    fi
    sleep 0.5
  done
  stop "The API on port $1 did not become ready: journalctl -u gatehouse-api@$1"
}

start_nginx() {
  make_certificate
  make_room
  fill_in
  nginx -t -q
  if [ $HAS_SYSTEMD = yes ]; then systemctl enable --quiet nginx && systemctl reload-or-restart nginx; fi
}

# Keeps the current release and the previous one, for scripts of open pages and a quick downgrade.
remove_old_releases() {
  local release
  if [ $HAS_SYSTEMD = no ]; then return; fi
  for release in "$HOME_DIR"/releases/*; do
    case $release in "$(readlink $HOME_DIR/current)" | "$(readlink $HOME_DIR/previous || true)") continue ;; esac
    say "Removing $release"
    rm -rf "$release"
  done
}

# Lets nginx start; the doctor reports that browsers reject it.
make_certificate() {
  if [ -e "$TLS_CERTIFICATE" ]; then return; fi
  say "No certificate at $TLS_CERTIFICATE: creating a self-signed one, which browsers reject. Replace it and run this again."
  install -d -m 0750 "$(dirname "$TLS_CERTIFICATE")"
  openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj "/CN=$(site_host)" -addext "subjectAltName=DNS:$(site_host)" \
    -out "$TLS_CERTIFICATE" -keyout "$TLS_KEY" 2>/dev/null
}

is_self_signed() { [ "$(openssl x509 -in "$1" -noout -subject_hash)" = "$(openssl x509 -in "$1" -noout -issuer_hash)" ]; }

site_host() { "$RELEASE/bin/node" -p 'new URL(JSON.parse(fs.readFileSync(process.argv[1])).site.url).host' $SITE_FILE; }

# Debian's default of 768 connections could be used up by one visitor with unfinished headers. Twice as many files, because
# each connection may need one more. Larger values are kept.
make_room() {
  local file=/etc/nginx/nginx.conf
  raise worker_connections $NGINX_CONNECTIONS
  if grep -qE '^\s*worker_rlimit_nofile\s' $file; then raise worker_rlimit_nofile $((2 * NGINX_CONNECTIONS)); return; fi
  sed -i -E "0,/^\s*worker_processes\s.*/s//&\nworker_rlimit_nofile $((2 * NGINX_CONNECTIONS));/" $file
}

# Sets the directive $1 in nginx's file to $2, unless it is larger.
raise() {
  local now
  now="$(sed -nE "s/^\s*$1\s+([0-9]+)\s*;.*/\1/p" $file)"
  if [ "${now:-0}" -lt "$2" ]; then sed -i -E "s/^(\s*$1\s+)[0-9]+\s*;/\1$2;/" $file; fi
}

fill_in() {
  local name ours proxy proxies='' family=''
  if [ -e /proc/net/if_inet6 ]; then family=yes; fi
  export LISTEN="$HTTPS_PORT ssl http2${family:+; listen [::]:$HTTPS_PORT ssl http2}"
  export LISTEN_CLEAR="$HTTP_PORT${family:+; listen [::]:$HTTP_PORT}"
  # shellcheck disable=SC2016 # nginx's variable
  export HTTP_VERSIONS='' SITE_SCHEME='$scheme'
  # Browsers that once saw it would let nobody past a self-signed certificate.
  export HSTS=''
  if [ "${HSTS_SECONDS:=31536000}" != 0 ] && ! is_self_signed "$TLS_CERTIFICATE"; then HSTS="max-age=$HSTS_SECONDS"; fi
  export TLS="include $ETC/nginx/tls.conf;" LIMITS="include $ETC/nginx/limits.conf;" BROTLI='brotli_static on;'
  for proxy in ${PROXIES_IN_FRONT:-}; do proxies+="set_real_ip_from $proxy; "; done
  export PROXIES_IN_FRONT=$proxies CONNECTIONS_PER_ADDRESS API_CONNECTIONS_PER_ADDRESS \
    API_REQUESTS_PER_SECOND API_REQUESTS_AT_ONCE API_REQUESTS_BURST API_ANONYMOUS_PER_SECOND API_ANONYMOUS_AT_ONCE
  # The pages of this build, which its API has written: both change with nginx's reload.
  PAGES_ROOT="$STATE/pages/$(cat "$RELEASE/web/dist-server/build-id")"
  export TLS_CERTIFICATE TLS_KEY API_SERVERS WEB_ROOT="$RELEASE/web/dist" PAGES_ROOT CONFIG_ROOT=$STATE/site
  # shellcheck disable=SC2086 # a line for each port
  API_SERVERS="$(printf 'server 127.0.0.1:%s fail_timeout=1s; ' $API_PORTS)"
  export IDENTITY_PROVIDER ACCOUNT_PAGE="$OIDC_ISSUER/account/" ACME_ROOT=$STATE/acme MODEL_PATHS READING_PATHS SITE_HOST
  IDENTITY_PROVIDER="$(cut -d/ -f1-3 <<<"$OIDC_ISSUER")"
  MODEL_PATHS="$(cat "$RELEASE/model-paths")"
  READING_PATHS="$(cat "$RELEASE/reading-paths")"
  SITE_HOST="$(site_host)"
  install -d $ETC/nginx
  # Only names in capitals are ours; nginx's own variables are lower case.
  # shellcheck disable=SC2016
  ours="$(grep -oh '\${[A-Z_]*}' "$RELEASE"/ops/nginx/*.conf | sort -u | tr -d '\n')"
  for name in clients.conf gatehouse.conf https.conf limits.conf tls.conf; do
    envsubst "$ours" <"$RELEASE/ops/nginx/$name" >"$ETC/nginx/$name"
  done
  ln -sf $ETC/nginx/clients.conf /etc/nginx/sites-enabled/gatehouse-clients.conf
  ln -sf $ETC/nginx/gatehouse.conf /etc/nginx/sites-enabled/gatehouse.conf
  ln -sf $ETC/nginx/https.conf /etc/nginx/sites-enabled/gatehouse-https.conf
  rm -f /etc/nginx/sites-enabled/default
}

# Archives every change within a minute, encrypted: any second can be restored (ops/backup/README.md).
archive_changes() {
  if [ -e $BACKUP_CONFIG ] && grep -q '^\[gatehouse\]' $BACKUP_CONFIG; then return; fi
  say "Backups: $BACKUP_CONFIG. Store its pass phrase elsewhere too: without it they can't be read."
  install -m 0600 -o postgres -g postgres /dev/null $BACKUP_CONFIG
  REPOSITORY=$BACKUPS PASS_PHRASE="$(openssl rand -hex 32)" RETENTION_DAYS="$(retention_days)" \
    LOG_DIRECTORY=/var/log/pgbackrest LOCK_DIRECTORY=/tmp/pgbackrest SPOOL_DIRECTORY=/var/spool/pgbackrest \
    DATA_DIRECTORY=$POSTGRES_DATA PORT=$POSTGRES_PORT SOCKET_DIRECTORY=/var/run/postgresql \
    envsubst <"$SOURCE/ops/backup/pgbackrest.conf" >$BACKUP_CONFIG
  as_postgres psql -q <<END
alter system set archive_mode = on;
alter system set archive_timeout = '60s';
alter system set archive_command = 'pgbackrest --config=$BACKUP_CONFIG --stanza=gatehouse archive-push %p';
END
  # shellcheck disable=SC2086 # version and name
  if [ $HAS_SYSTEMD = yes ]; then systemctl restart "postgresql@$POSTGRES_UNIT"; else pg_ctlcluster ${POSTGRES_UNIT/-/ } restart; fi
  as_postgres pgbackrest --config=$BACKUP_CONFIG --stanza=gatehouse stanza-create
}

# Minus a week between two full backups and a day until expiry runs, so that backups keep the notice's promise.
retention_days() { grep -A3 '"backups"' $SITE_FILE | grep -o '"retentionDays": *[0-9]*' | grep -o '[0-9]*$' | awk '{ print $1 - 8 }'; }

plan_backups() {
  if [ $HAS_SYSTEMD = yes ]; then systemctl enable --quiet --now gatehouse-backup.timer; fi
  if [ ! -e $STATE/backup/status.json ]; then
    say 'The first backup'
    as_postgres env BACKUP_STATUS_FILE=$STATE/backup/status.json "$RELEASE/ops/backup/backup.sh"
  fi
}

# Uses the release's own Node. Run as root, the doctor reads the logs first, then continues as the service user.
examine() {
  write 0755 /usr/local/sbin/gatehouse-doctor <<END
#!/bin/bash
# Checks this installation of Gatehouse. Run as root.
cd $HOME_DIR/current
. ops/env-file.sh
set -a
read_env_file $ETC/env
read_env_file $ETC/proxy.env
if [ -e $ETC/realm.env ]; then read_env_file $ETC/realm.env; fi
NODE_ENV=production RUN_AS=gatehouse exec bin/node api/dist/doctor.js "\$@"
END
  if [ $HAS_SYSTEMD = no ]; then
    say 'Installed. Boot it with systemd and run this again.'
  elif ! gatehouse-doctor; then
    stop 'Installed, and it serves. Fix what has a ✗; gatehouse-doctor looks again.'
  fi
}

main "$@"
