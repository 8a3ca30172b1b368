# shellcheck shell=bash
# Sourced by ops/install.sh: the release that serves, the one before it, and the switch from one to the other. From an unpacked archive a
# release is copied, from a checkout it is built, with the code of the site's folder.

is_checkout() { [ -e "$SOURCE/package-lock.json" ]; }

make_release() {
  if [ "$(dirname "$SOURCE")" = $HOME_DIR/releases ] && ! is_checkout; then
    RELEASE=$SOURCE
    return
  fi
  RELEASE="$(release_name)"
  if [ -d "$RELEASE" ]; then return; fi
  NEW=$HOME_DIR/releases/new
  rm -rf $NEW
  if is_checkout; then build_release; else copy_release; fi
  # Pages opened before the switch still load the scripts of their release.
  mkdir -p $NEW/web/dist/previous
  ln -sfn $HOME_DIR/previous/web/dist/static $NEW/web/dist/previous/static
  # The service user can't modify the release.
  chown -R root:root $NEW
  mv -T $NEW "$RELEASE"
}

# Named by a hash of all sources, so that the same release is not built twice and changed code of the site makes a new one.
release_name() {
  local hash
  if is_checkout; then
    hash="$({ tar_of_source && same_tar --exclude=./site.json --exclude=./notice --exclude='*.svg' -C $SITE .; } | sha256sum)"
  else
    hash="$(same_tar -C "$SOURCE" . | sha256sum)"
  fi
  echo "$HOME_DIR/releases/$(version_of "$SOURCE")-${hash:0:12}"
}

# The site stays where it is: configuration and texts are read, and pages written, at each start.
copy_release() {
  if [ -e $SITE/index.ts ] || [ -n "$(find $SITE/messages -name '*.ts' 2>/dev/null)" ]; then
    stop "The site in $SITE has code, which is built in: install from a checkout of this release."
  fi
  say "Copying $RELEASE"
  cp -rT "$SOURCE" $NEW
  install -D "$(node_of "$SOURCE")" $NEW/bin/node
  rm -f $NEW/bin/node-*
  # Without them the API runs, and makes no previews.
  mv "$NEW/packages/$(dpkg --print-architecture)" $NEW/api/dist/node_modules
  rm -r $NEW/packages
  mv $NEW/.build/model-paths $NEW/.build/reading-paths $NEW
  chmod -R a+rX,go-w $NEW
  ln -sfn $SITE $NEW/site
}

build_release() {
  say "Building $RELEASE"
  install_packages npm
  install -d -o gatehouse -g gatehouse $NEW
  tar_of_source | runuser -u gatehouse -- tar -C $NEW -xf - --no-same-owner
  cd $NEW || return
  runuser -u gatehouse -- cp -rT $SITE site
  # Configuration counts at the next start, code with the release.
  ln -sf $SITE_FILE site/site.json
  as_builder ops/bring-node.sh $NEW/.node
  as_builder npm ci
  check_notice
  as_builder npm run --silent site:check -- --build
  as_builder node web/build.ts
  as_builder node api/build.ts
  as_builder node tools/site/nginx-paths.ts .
  install -D .node/bin/node bin/node
  # The built programs are bundled; the one package that isn't lies beside them.
  rm -rf .home .node node_modules {api,e2e,model,web}/node_modules
  cd /
}

tar_of_source() {
  same_tar --exclude=dist --exclude=dist-server -C "$SOURCE" \
    package.json package-lock.json tsconfig.json .npmrc .squawk.toml model api web e2e/package.json tools ops sample
}

as_builder() {
  runuser -u gatehouse -- env HOME=$NEW/.home PATH="$NEW/.node/bin:$PATH" NOTICE_DIR=$STATE/notice "$@"
}

# An unreleased version may be regenerated; a released one needs a new version with its date.
check_notice() {
  if as_builder npm run --silent notice:check; then return; fi
  as_builder npm run --silent notice:write -- ${NOTICE_SUMMARY:+--summary "$NOTICE_SUMMARY"} ||
    stop "Repeat it with NOTICE_SUMMARY='what changed, for the people whose data it is': it publishes a version of the notice, of today."
}

# Makes what needs a browser, and fails on what would keep the API from starting: an invalid configuration, or a released notice
# that no longer matches. Without passwords: it starts a browser.
check_site() {
  say 'Site'
  if run_new print.js; then return; fi
  [ -n "${NOTICE_SUMMARY:-}" ] ||
    stop "Correct $SITE. If the privacy notice differs, repeat it with --notice 'what changed, for the people whose data it is' (gatehouse upgrade) or with NOTICE_SUMMARY set to that: it publishes a version of the notice, of today."
  run_new notice.js --summary "$NOTICE_SUMMARY" && run_new print.js || stop 'The reason is above.'
}

# The replicas that serve start beside a notice that says more than they store.
run_new() {
  (cd "$RELEASE" && runuser -u gatehouse -- env -i PATH="$PATH" HOME=/tmp NODE_ENV=production \
    DATABASE_URL=none OIDC_ISSUER="$OIDC_ISSUER" PAGES_DIR=$STATE/pages NOTICE_DIR=$STATE/notice bin/node "api/dist/$1" "${@:2}")
}

migrate() { (cd "$RELEASE" && DATABASE_MIGRATION_URL="$DATABASE_MIGRATION_URL" bin/node api/dist/migrate.js); }

# A release that never became ready is tried again, and is not kept for a downgrade.
switch_release() {
  local served site
  # First: pages of the new release may need settings that the old file lacks.
  write_config_json >$STATE/site/config.json
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

# Atomic: the link always exists.
point() {
  ln -sfn "$2" "$HOME_DIR/$1.new"
  mv -T "$HOME_DIR/$1.new" "$HOME_DIR/$1"
}

install_units() {
  install -m 0644 "$RELEASE"/ops/systemd/* "$RELEASE"/ops/backup/gatehouse-backup.* /etc/systemd/system/
  if [ $HAS_SYSTEMD = yes ]; then systemctl daemon-reload; fi
}

start_api() {
  local port
  if [ $HAS_SYSTEMD = no ]; then return; fi
  for port in $API_PORTS; do systemctl enable --quiet "gatehouse-api@$port"; done
  if [ $IS_NEW = yes ]; then
    restart_replicas
    printf '%s\n' "$RELEASE" "$(hash_of_site)" >$STATE/served
  fi
  for port in $API_PORTS; do
    systemctl start "gatehouse-api@$port"
    until_ready "$port"
  done
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

# The release's own commands, for whoever runs the server; the older ones call the new one.
write_commands() {
  local name
  printf '#!/bin/sh\nexec %s/current/ops/server/gatehouse "$@"\n' $HOME_DIR | write 0755 /usr/local/sbin/gatehouse
  for name in doctor notice realm; do
    printf '#!/bin/sh\nexec gatehouse %s "$@"\n' $name | write 0755 /usr/local/sbin/gatehouse-$name
  done
}
