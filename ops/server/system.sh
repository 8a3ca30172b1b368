# shellcheck shell=bash
# Sourced by ops/install.sh and gatehouse: packages, folders and the journal.

PACKAGES=(ca-certificates curl gettext-base libnginx-mod-http-brotli-static nginx-light openssl pgbackrest postgresql restic)
# Keycloak runs on 17 too, the newest that Debian 12 has.
JAVA_PACKAGES=(openjdk-21-jre-headless openjdk-17-jre-headless)

# Those of every server, and those named.
install_packages() {
  local missing=() name output
  for name in "${PACKAGES[@]}" "$@"; do
    is_installed "$name" || missing+=("$name")
  done
  if [ ${#missing[@]} = 0 ]; then return; fi
  say "Packages: ${missing[*]}"
  apt-get -qq update
  # Scripts of the packages warn of what is only installed after them.
  output="$(DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends "${missing[@]}" 2>&1)" || stop "$output"
}

is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

install_java() {
  local name
  for name in "${JAVA_PACKAGES[@]}"; do
    if is_installed "$name"; then return; fi
  done
  apt-get -qq update
  for name in "${JAVA_PACKAGES[@]}"; do
    if [ -n "$(apt-cache madison "$name")" ]; then install_packages "$name"; return; fi
  done
  stop 'This system has no Java 17 or 21.'
}

make_places() {
  if ! id gatehouse >/dev/null 2>&1; then
    useradd --system --home-dir $HOME_DIR --shell /usr/sbin/nologin gatehouse
  fi
  install -d $HOME_DIR $HOME_DIR/releases $STATE $STATE/site
  install -d -o gatehouse -g gatehouse $STATE/pages $STATE/notice $STATE/themes
  install -d -o www-data -g www-data $STATE/acme
  # nginx reads them by its group, which all that the API creates in there inherits; no other user does.
  install -d -m 2750 -o gatehouse -g www-data $STATE/files
  install -d -m 0750 -g gatehouse $ETC $ETC/tls
  if [ -e $ETC/tls/authority.pem ]; then install -D -m 0644 $ETC/tls/authority.pem $TRUSTED; fi
  install -d -m 0755 -o postgres -g postgres $STATE/backup
}

# The site's folder belongs to the deployer: releases never write to it. A fork may commit one.
make_site() {
  if [ -d "$SOURCE/site" ] && [ ! -L "$SOURCE/site" ] && is_checkout && [[ $SOURCE != "$HOME_DIR"/* ]]; then
    install -d $SITE
    find $SITE -mindepth 1 -maxdepth 1 ! -name notice -exec rm -r {} +
    cp -rT "$SOURCE/site" $SITE
  elif [ ! -e $SITE_FILE ] && [ -e $ETC/site.json ]; then
    adopt_old_site
  elif [ ! -e $SITE_FILE ]; then
    say "$SITE is the sample: replace its content with yours and run this again."
    install -d $SITE
    cp -rnT "$SOURCE/sample" $SITE
    if ! is_checkout; then rm -rf $SITE/index.ts $SITE/models $SITE/behaviours; fi
  fi
  # Without one, a release from the archive starts with a draft of its own.
  if [ ! -d $SITE/notice ] && is_checkout; then cp -r "$SOURCE/sample/notice" $SITE/notice; fi
  # From then on they are a history of this server.
  if [ -d $SITE/notice ] && [ -z "$(ls -A $STATE/notice)" ]; then runuser -u gatehouse -- cp $SITE/notice/*.json $STATE/notice; fi
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
