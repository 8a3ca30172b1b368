# shellcheck shell=sh disable=SC3043 # dash and bash know `local`
# Sourced by start.sh of the image and by ops/server of a server.

HSTS_DEFAULT_SECONDS=31536000

# nginx before 1.25.1 knows HTTP/2 only as a parameter of `listen`.
has_http2_directive() {
  nginx -v 2>&1 | sed 's|.*/||; s| .*||' | awk -F. '{ exit !($1 > 1 || $2 > 25 || ($2 == 25 && $3 >= 1)) }'
}

hsts_value() {
  local seconds="${HSTS_SECONDS:-$HSTS_DEFAULT_SECONDS}"
  if [ "$seconds" -gt 0 ]; then echo "max-age=$seconds"; fi
}

# The header to send with a certificate. A browser that has seen it lets nobody past one it rejects.
hsts_of() { if ! is_self_signed "$1"; then hsts_value; fi; }

is_self_signed() {
  [ "$(openssl x509 -in "$1" -noout -subject_hash 2>&1)" = "$(openssl x509 -in "$1" -noout -issuer_hash 2>&1)" ]
}

# Lets nginx start; the doctor reports that browsers reject it. Writes certificate $1 and key $2.
create_self_signed() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=gatehouse \
    -addext "subjectAltName=DNS:$SITE_HOST${IDENTITY_HOST:+,DNS:$IDENTITY_HOST}" -out "$1" -keyout "$2" 2>/dev/null
}

# Variables of the files that people upload: the folder FILES_DIR, and with FILES_BUCKET the store that nginx reads from. $1 is the
# folder of nginx's files, $2 the certificate of a private authority, which need not exist.
export_file_variables() {
  local server
  # The defaults are the API's.
  export FILES_MAX_MB="${FILES_MAX_MB:-100}" FILES_ROOT="${FILES_DIR:-/var/lib/gatehouse/files}" FILE_HEADERS="include $1/file-headers.conf;" FILES_BUCKET_LOCATION=''
  export FILES_BUCKET_ORIGIN='' FILES_BUCKET_HOST='' FILES_BUCKET_NAME='' RESOLVER='' AUTHORITIES="$1/authorities.pem"
  if [ -z "${FILES_BUCKET:-}" ]; then return; fi
  FILES_BUCKET_ORIGIN="$(echo "$FILES_BUCKET" | cut -d/ -f1-3)"
  FILES_BUCKET_HOST="$(echo "$FILES_BUCKET" | cut -d/ -f3)"
  FILES_BUCKET_NAME="${FILES_BUCKET_HOST%:*}"
  FILES_BUCKET_LOCATION="include $1/files-bucket.conf;"
  for server in $(sed -nE 's/^nameserver +([^ %]+).*/\1/p' /etc/resolv.conf); do
    case $server in *:*) server="[$server]" ;; esac
    RESOLVER="${RESOLVER:-resolver} $server"
  done
  if [ -n "$RESOLVER" ]; then RESOLVER="$RESOLVER valid=30s;"; fi
  cat /etc/ssl/certs/ca-certificates.crt >"$AUTHORITIES"
  if [ -e "$2" ]; then cat "$2" >>"$AUTHORITIES"; fi
}

# Prints the settings of the site that its pages read: one build for every deployment.
write_config_json() {
  printf '{"authority":"%s","clientId":"gatehouse-web","returnUrl":"%s","adminMfa":"%s","acrMfa":"%s","acrFresh":"%s","ownerPath":"%s","productPages":true}\n' \
    "$OIDC_ISSUER" "${SIGN_IN_RETURN_URL:-state}" "${ADMIN_MFA:-on}" \
    "${OIDC_ACR_MFA:-mfa}" "${OIDC_ACR_FRESH:-fresh}" "${OIDC_OWNER_PATH:-}"
}
