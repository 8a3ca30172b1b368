#!/bin/sh
# nginx in a container: fills in the templates from the environment, again when the certificate changes, and stays in the
# foreground. Writes to /tmp only.
#
#   TLS           acme: the certificate that ops/certbot/renew.sh gets (default). files: certificate.pem and key.pem in
#                 /etc/gatehouse/tls. off: http only, behind a balancer that ends TLS
#   HSTS_SECONDS  max-age of Strict-Transport-Security; 0: not sent
#   FRONT_SOCKET  Unix socket of the container that holds the listening sockets; without it nginx listens itself
set -eu

ETC="${GATEHOUSE_ETC:-/etc/gatehouse}"
CONFIG_ROOT="${NGINX_DIR:-/tmp/nginx}"
CERTIFICATES_DIR="${CERTIFICATES_DIR:-/var/lib/gatehouse/certificates}"
TLS_MODE="${TLS:-acme}"
. "$ETC/nginx/functions.sh"
# Poll intervals of the certificate's file.
SELF_SIGNED_CHECK_SECONDS=5
ADDRESS_CHECK_SECONDS=1
CERTIFICATE_CHECK_SECONDS="${CERTIFICATE_CHECK_SECONDS:-60}"

main() {
  check_settings
  mkdir -p "$CONFIG_ROOT"
  export_variables
  write_config_json >"$CONFIG_ROOT/config.json"
  if [ "$TLS_MODE" = off ]; then
    export_clear_variables
    render
  else
    export_tls_variables
    use_first_certificate
    watch_certificate &
  fi
  watch_addresses &
  set -- nginx -e stderr -p "$CONFIG_ROOT" -c "$CONFIG_ROOT/nginx.conf"
  if [ -n "${FRONT_SOCKET:-}" ]; then set -- perl "$ETC/nginx/listening-sockets.pl" inherit "$FRONT_SOCKET" "$@"; fi
  exec "$@"
}

say() { echo "TLS=$TLS_MODE: $*" >&2; }
stop() {
  echo "$*" >&2
  exit 1
}

check_settings() {
  : "${SITE_HOST:?is needed: the name visitors know the site by}"
  : "${OIDC_ISSUER:?is needed: the address of the realm}"
  case $TLS_MODE in
    acme) CERTIFICATE="$CERTIFICATES_DIR/live/gatehouse/fullchain.pem" KEY="$CERTIFICATES_DIR/live/gatehouse/privkey.pem" ;;
    files) CERTIFICATE="$ETC/tls/certificate.pem" KEY="$ETC/tls/key.pem" ;;
    off) ;;
    *) stop "TLS must be acme, files or off, not \"$TLS_MODE\"" ;;
  esac
  case ${HSTS_SECONDS:-0} in
    *[!0-9]*) stop "HSTS_SECONDS must be a whole number, not \"$HSTS_SECONDS\"" ;;
  esac
}

# Everything but the certificate.
export_variables() {
  local proxies='' proxy name value
  export SITE_HOST CONFIG_ROOT
  export API_SERVERS="server ${API_ADDRESS:-api:8081};"
  export ACME_ROOT="${ACME_ROOT:-/var/lib/gatehouse/acme}"
  # The pages of this build, which its API writes.
  export PAGES_ROOT="${PAGES_DIR:-/var/lib/gatehouse/pages}/$(cat "$ETC/build-id")"
  export WEB_ROOT="${WEB_ROOT:-/srv/gatehouse}"
  export IDENTITY_PROVIDER="$(echo "$OIDC_ISSUER" | cut -d/ -f1-3)" ACCOUNT_PAGE="$OIDC_ISSUER/account/"
  export MODEL_PATHS="$(cat "$ETC/model-paths")" READING_PATHS="$(cat "$ETC/reading-paths")"
  export LIMITS="include $CONFIG_ROOT/limits.conf;"
  export BROTLI='brotli_static on;' MODULES='load_module /usr/lib/nginx/modules/ngx_http_brotli_static_module.so;' USER=''
  export IDENTITY_ADDRESS="${IDENTITY_ADDRESS:-}" IDENTITY_SCHEME=https IDENTITY_PORT=443
  if [ -z "$IDENTITY_ADDRESS" ]; then export IDENTITY_HOST=''; fi
  export_file_variables "$CONFIG_ROOT" "$ETC/tls/authority.pem"
  export LISTEN_CLEAR="${LISTEN_CLEAR:-8080}"
  # Variables unset or empty in the environment get the file's values.
  while IFS='=' read -r name value; do
    case $name in '#'*) continue ;; esac
    eval "export $name=\"\${$name:-$value}\""
  done <"$ETC/nginx/limits.env"
  for proxy in ${PROXIES_IN_FRONT:-}; do proxies="${proxies}set_real_ip_from $proxy; "; done
  export PROXIES_IN_FRONT="$proxies"
}

# The balancer has ended TLS, so visitors use https.
export_clear_variables() {
  export LISTEN="$LISTEN_CLEAR" TLS="include $CONFIG_ROOT/tls-off.conf;" HTTP_VERSIONS='' SITE_SCHEME=https
  export TLS_CERTIFICATE='' TLS_KEY='' HSTS="$(hsts_value)"
}

export_tls_variables() {
  export LISTEN="${LISTEN:-8443 ssl}" TLS="include $CONFIG_ROOT/tls.conf;" HTTP_VERSIONS='http2 on;' SITE_SCHEME='$scheme'
  # nginx before 1.25.1 knows HTTP/2 only as a parameter of `listen`.
  if ! has_http2_directive; then export LISTEN="${LISTEN% http2} http2" HTTP_VERSIONS=''; fi
}

# Writes nginx's files. Only names in capitals are ours; nginx's own variables are lower case.
render() {
  local file name ours
  ours="$(cd "$ETC/nginx" && grep -oh '\${[A-Z_]*}' *.conf | sort -u | tr -d '\n')"
  for file in "$ETC"/nginx/*.conf; do
    name="${file##*/}"
    case "$TLS_MODE ${IDENTITY_ADDRESS:-none} $name" in
      'off '*' https.conf' | 'off '*' tls.conf' | *' none identity.conf') continue ;;
    esac
    envsubst "$ours" <"$file" >"$CONFIG_ROOT/$name"
  done
}

# Without a usable certificate a self-signed one lets nginx start, and answer the challenges of the authority.
use_first_certificate() {
  SERVED="$(fingerprint)"
  if [ -n "$SERVED" ] && use_certificate "$CERTIFICATE" "$KEY"; then return; fi
  SERVED=''
  create_self_signed "$CONFIG_ROOT/self-signed.pem" "$CONFIG_ROOT/self-signed-key.pem"
  use_certificate "$CONFIG_ROOT/self-signed.pem" "$CONFIG_ROOT/self-signed-key.pem" || stop 'nginx rejects its configuration'
  say "no usable certificate at $CERTIFICATE: serving a self-signed one, which browsers reject"
}

# Of certificate and key, because they are replaced one after the other; empty until both exist.
fingerprint() {
  if [ -r "$CERTIFICATE" ] && [ -r "$KEY" ]; then cat "$CERTIFICATE" "$KEY" | sha256sum | cut -d' ' -f1; fi
}

# Fails if nginx rejects the files.
use_certificate() {
  export TLS_CERTIFICATE="$1" TLS_KEY="$2" HSTS="$(hsts_of "$1")"
  render && run_nginx -t -q
}

run_nginx() { nginx "$@" -e stderr -p "$CONFIG_ROOT" -c "$CONFIG_ROOT/nginx.conf"; }

# Reloads nginx when the files change. Rejected ones are tried again: their other half may follow. `$$` is nginx by then.
watch_certificate() {
  local new rejected='' wait=$CERTIFICATE_CHECK_SECONDS
  if [ -z "$SERVED" ]; then wait=$SELF_SIGNED_CHECK_SECONDS; fi
  while sleep "$wait" && kill -0 $$ 2>/dev/null; do
    new="$(fingerprint)"
    if [ -z "$new" ] || [ "$new" = "$SERVED" ]; then continue; fi
    if { use_certificate "$CERTIFICATE" "$KEY" && run_nginx -s reload; } 2>"$CONFIG_ROOT/rejected.log"; then
      SERVED=$new wait=$CERTIFICATE_CHECK_SECONDS
      say "serving the certificate at $CERTIFICATE"
    elif [ "$new" != "$rejected" ]; then
      rejected=$new
      cat "$CONFIG_ROOT/rejected.log" >&2
      say "nginx rejects the certificate at $CERTIFICATE: still serving the one before"
    fi
  done
}

# Another container has another address, which nginx asks for only when it reads its files. `$$` is nginx by then.
watch_addresses() {
  local known now
  known="$(addresses)" || known=''
  while sleep "$ADDRESS_CHECK_SECONDS" && kill -0 $$ 2>/dev/null; do
    # While one is being replaced its name leads nowhere, and nginx would reject its files.
    now="$(addresses)" || continue
    if [ "$now" != "$known" ] && run_nginx -t -q && run_nginx -s reload; then known=$now; fi
  done
}

# Fails unless every name leads somewhere.
addresses() {
  local address found
  for address in "${API_ADDRESS:-api:8081}" ${IDENTITY_ADDRESS:+"$IDENTITY_ADDRESS"}; do
    found="$(getent ahosts "${address%:*}")" || return 1
    echo "$address" "$(echo "$found" | cut -d' ' -f1 | sort -u | tr '\n' ' ')"
  done
}

main "$@"
