#!/bin/sh
# nginx in a container: fills in the templates from the environment and stays in the foreground. Writes to /tmp only.
set -eu

export API_SERVERS="server ${API_ADDRESS:-api:8081};"
export SITE_HOST="${SITE_HOST:?the name visitors know the site by}"
export OIDC_ISSUER="${OIDC_ISSUER:?the address of the realm}"
export TLS_CERTIFICATE="${TLS_CERTIFICATE:-/etc/gatehouse/tls/certificate.pem}"
export TLS_KEY="${TLS_KEY:-/etc/gatehouse/tls/key.pem}"
export ACME_ROOT="${ACME_ROOT:-/var/www/acme}"
# The pages of this build, which its API writes.
export PAGES_ROOT="${PAGES_DIR:-/var/lib/gatehouse/pages}/$(cat /etc/gatehouse/build-id)"

export LISTEN="${LISTEN:-8443 ssl http2}" LISTEN_CLEAR="${LISTEN_CLEAR:-8080}"
export WEB_ROOT=/srv/gatehouse CONFIG_ROOT=/tmp/nginx
export IDENTITY_PROVIDER="$(echo "$OIDC_ISSUER" | cut -d/ -f1-3)" ACCOUNT_PAGE="$OIDC_ISSUER/account/"
export MODEL_PATHS="$(cat /etc/gatehouse/model-paths)" READING_PATHS="$(cat /etc/gatehouse/reading-paths)"
export LIMITS='include /tmp/nginx/limits.conf;'
export TLS='include /tmp/nginx/tls.conf;' BROTLI='brotli_static on;' MODULES='load_module /usr/lib/nginx/modules/ngx_http_brotli_static_module.so;' USER=''

mkdir -p /tmp/nginx
cd /etc/gatehouse/nginx
# Variables unset or empty in the environment get the file's values.
while IFS='=' read -r name value; do
  case $name in '#'*) continue ;; esac
  eval "export $name=\"\${$name:-$value}\""
done <limits.env
export PROXIES_IN_FRONT="$(for proxy in ${PROXIES_IN_FRONT:-}; do printf 'set_real_ip_from %s; ' "$proxy"; done)"
# Only names in capitals are ours; nginx's own variables are lower case.
ours="$(grep -oh '\${[A-Z_]*}' *.conf | sort -u | tr -d '\n')"
if [ -z "${IDENTITY_ADDRESS:-}" ]; then export IDENTITY_ADDRESS='' IDENTITY_HOST=''; fi
export IDENTITY_SCHEME=https IDENTITY_PORT=443
for name in *.conf; do envsubst "$ours" <"$name" >"/tmp/nginx/$name"; done
if [ -z "$IDENTITY_ADDRESS" ]; then rm /tmp/nginx/identity.conf; fi
printf '{"authority":"%s","clientId":"gatehouse-web","returnUrl":"%s","adminMfa":"%s","acrMfa":"%s","acrFresh":"%s","ownerPath":"%s","productPages":true}\n' \
  "$OIDC_ISSUER" "${SIGN_IN_RETURN_URL:-state}" "${ADMIN_MFA:-on}" \
  "${OIDC_ACR_MFA:-mfa}" "${OIDC_ACR_FRESH:-fresh}" "${OIDC_OWNER_PATH:-}" >/tmp/nginx/config.json
exec nginx -e stderr -p /tmp/nginx -c /tmp/nginx/nginx.conf
