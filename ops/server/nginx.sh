#!/bin/bash
# Writes nginx's files from the settings in /etc/gatehouse and lets it read them; fails, and changes nothing that serves, if nginx rejects
# them. Run by ops/install.sh, and by gatehouse-certificate.service when certbot has a new certificate.
set -euo pipefail
umask 022

RELEASE=/opt/gatehouse/current
HERE="$(cd "$(dirname "$(readlink -f "$0")")" && pwd)"
# shellcheck source=ops/env-file.sh
. "$HERE/../env-file.sh"
# shellcheck source=ops/server/common.sh
. "$HERE/common.sh"
# shellcheck source=ops/nginx/functions.sh
. "$HERE/../nginx/functions.sh"

# Per worker of nginx.
CONNECTIONS=8192
SITES=/etc/nginx/sites-enabled
# In this order: the first server is that of unknown names.
TEMPLATES=(clients file-headers files-bucket gatehouse https identity limits tls tls-off)

main() {
  # Before the deployer's own, which takes precedence.
  read_env_file "$RELEASE/ops/nginx/limits.env"
  read_env_file $ETC/env
  read_env_file $ETC/proxy.env
  make_room
  export_variables
  choose_certificate
  export_listen
  render
  enable_sites
  nginx -t -q
  if [ $HAS_SYSTEMD = yes ]; then systemctl enable --quiet nginx && systemctl reload-or-restart nginx; fi
}

# Debian's default of 768 connections could be used up by one visitor with unfinished headers. Twice as many files, because
# each connection may need one more. Larger values are kept.
make_room() {
  local file=/etc/nginx/nginx.conf
  raise worker_connections $CONNECTIONS
  if grep -qE '^\s*worker_rlimit_nofile\s' $file; then raise worker_rlimit_nofile $((2 * CONNECTIONS)); return; fi
  sed -i -E "0,/^\s*worker_processes\s.*/s//&\nworker_rlimit_nofile $((2 * CONNECTIONS));/" $file
}

# Sets the directive $1 in nginx's file to $2, unless it is larger.
raise() {
  local now
  now="$(sed -nE "s/^\s*$1\s+([0-9]+)\s*;.*/\1/p" $file)"
  if [ "${now:-0}" -lt "$2" ]; then sed -i -E "s/^(\s*$1\s+)[0-9]+\s*;/\1$2;/" $file; fi
}

export_variables() {
  local proxy proxies='' name
  while read -r name; do export "${name?}"; done < <(sed -nE 's/^([A-Z_]+)=.*/\1/p' "$RELEASE/ops/nginx/limits.env")
  for proxy in ${PROXIES_IN_FRONT:-}; do proxies+="set_real_ip_from $proxy; "; done
  export PROXIES_IN_FRONT=$proxies SITE_HOST IDENTITY_HOST=${IDENTITY_HOST:-}
  install -d $ETC/nginx
  export_file_variables $ETC/nginx $ETC/tls/authority.pem
  export LIMITS="include $ETC/nginx/limits.conf;" BROTLI='brotli_static on;'
  # The pages of this build, which its API has written: both change with nginx's reload.
  PAGES_ROOT="$STATE/pages/$(cat "$RELEASE/web/dist-server/build-id")"
  export WEB_ROOT="$RELEASE/web/dist" PAGES_ROOT CONFIG_ROOT=$STATE/site ACME_ROOT=$STATE/acme
  export API_SERVERS IDENTITY_PROVIDER ACCOUNT_PAGE="$OIDC_ISSUER/account/" MODEL_PATHS READING_PATHS
  # shellcheck disable=SC2086 # a line for each port
  API_SERVERS="$(printf 'server 127.0.0.1:%s fail_timeout=1s; ' $API_PORTS)"
  IDENTITY_PROVIDER="$(cut -d/ -f1-3 <<<"$OIDC_ISSUER")"
  MODEL_PATHS="$(cat "$RELEASE/model-paths")"
  READING_PATHS="$(cat "$RELEASE/reading-paths")"
  export IDENTITY_ADDRESS IDENTITY_SCHEME=https IDENTITY_PORT=443
  IDENTITY_ADDRESS=127.0.0.1:$(setting_of $ETC/keycloak.env KC_HTTP_PORT)
}

# TLS_CERTIFICATE, TLS_KEY and HSTS. Until there is one, nginx starts with a self-signed certificate.
choose_certificate() {
  export TLS_CERTIFICATE TLS_KEY HSTS=''
  case ${TLS:=files} in
  off) HSTS="$(hsts_value)" && return ;;
  acme) TLS_CERTIFICATE=$CERTIFICATES/live/gatehouse/fullchain.pem TLS_KEY=$CERTIFICATES/live/gatehouse/privkey.pem ;;
  files) ;;
  *) stop "TLS must be acme, files or off, not \"$TLS\"." ;;
  esac
  if [ "$TLS" = acme ] && [ ! -e "$TLS_CERTIFICATE" ]; then
    TLS_CERTIFICATE=$ETC/tls/self-signed.pem TLS_KEY=$ETC/tls/self-signed-key.pem
  fi
  if [ ! -e "$TLS_CERTIFICATE" ]; then
    say "No certificate at $TLS_CERTIFICATE: creating a self-signed one, which browsers reject."
    if [ "$TLS" = files ]; then say 'Replace it and run this again.'; fi
    install -d -m 0750 "$(dirname "$TLS_CERTIFICATE")"
    create_self_signed "$TLS_CERTIFICATE" "$TLS_KEY"
  fi
  HSTS="$(hsts_of "$TLS_CERTIFICATE")"
}

export_listen() {
  local ipv6='' http2=' http2'
  if [ -e /proc/net/if_inet6 ]; then ipv6=yes; fi
  export LISTEN_CLEAR="$HTTP_PORT${ipv6:+; listen [::]:$HTTP_PORT}" HTTP_VERSIONS=''
  # shellcheck disable=SC2016 # nginx's variable
  export SITE_SCHEME='$scheme'
  if [ "$TLS" = off ]; then
    # The balancer has ended TLS, so visitors use https.
    export LISTEN=$LISTEN_CLEAR SITE_SCHEME=https TLS="include $ETC/nginx/tls-off.conf;"
    return
  fi
  if has_http2_directive; then http2='' HTTP_VERSIONS='http2 on;'; fi
  export LISTEN="$HTTPS_PORT ssl$http2${ipv6:+; listen [::]:$HTTPS_PORT ssl$http2}"
  TLS="include $ETC/nginx/tls.conf;"
  export TLS
}

# Only names in capitals are ours; nginx's own variables are lower case.
render() {
  local name ours
  # shellcheck disable=SC2016
  ours="$(grep -oh '\${[A-Z_]*}' "$RELEASE"/ops/nginx/*.conf | sort -u | tr -d '\n')"
  install -d $ETC/nginx
  for name in "${TEMPLATES[@]}"; do
    envsubst "$ours" <"$RELEASE/ops/nginx/$name.conf" >"$ETC/nginx/$name.conf"
  done
}

# nginx reads them by name.
enable_sites() {
  ln -sf $ETC/nginx/clients.conf $SITES/gatehouse-clients.conf
  ln -sf $ETC/nginx/gatehouse.conf $SITES/gatehouse.conf
  rm -f $SITES/gatehouse-https.conf $SITES/gatehouse_identity.conf $SITES/default
  if [[ $TLS != *tls-off* ]]; then ln -sf $ETC/nginx/https.conf $SITES/gatehouse-https.conf; fi
  if [ -n "$IDENTITY_HOST" ]; then ln -sf $ETC/nginx/identity.conf $SITES/gatehouse_identity.conf; fi
}

main
