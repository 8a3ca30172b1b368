#!/bin/sh
# Gets one certificate for both host names and renews it, by certbot, for the nginx that shares the two folders
# (ops/nginx/start.sh). Never ends by itself. Writes the outcome of each try to status.json, for the doctor.
#
#   TLS             acme (default); files and off: does nothing
#   SITE_HOST       and IDENTITY_HOST: its names
#   ACME_EMAIL      the account's; the authority may send warnings there
#   ACME_DIRECTORY  of the authority; default: Let's Encrypt. One with a CA of its own: /etc/gatehouse/tls/authority.pem
set -eu
# The key is readable for this user only.
umask 077

ACME_ROOT="${ACME_ROOT:-/var/lib/gatehouse/acme}"
CERTIFICATES_DIR="${CERTIFICATES_DIR:-/var/lib/gatehouse/certificates}"
WORK_DIR="${WORK_DIR:-/tmp/certbot}"
AUTHORITY="${GATEHOUSE_ETC:-/etc/gatehouse}/tls/authority.pem"
ACME_DIRECTORY="${ACME_DIRECTORY:-https://acme-v02.api.letsencrypt.org/directory}"
CERTIFICATE="$CERTIFICATES_DIR/live/gatehouse/fullchain.pem"
# Times of failed orders since the last success, stored over restarts.
FAILURES="$CERTIFICATES_DIR/failures"
# Let's Encrypt allows five failed validations of a name an hour; afterwards it refuses every order.
HOUR=3600
FAILURES_PER_HOUR=5
# Twice a day: half a day, less a random part of two hours, so that installations don't come together.
RENEWAL_SECONDS=43200
RENEWAL_SPREAD_SECONDS=7200

main() {
  trap 'stop_child; exit 0' TERM INT
  case ${TLS:=acme} in
    acme) ;;
    files | off) wait_for sleep infinity ;;
    *) refuse "TLS must be acme, files or off, not \"$TLS\"" ;;
  esac
  : "${SITE_HOST:?is needed: the name visitors know the site by}"
  # Before any order: Docker would restart a script that fails after one, again and again.
  for folder in "$ACME_ROOT" "$CERTIFICATES_DIR"; do
    [ -w "$folder" ] || refuse "$folder must be writable for user $(id -u)"
  done
  mkdir -p "$WORK_DIR"
  if [ -e "$AUTHORITY" ]; then export REQUESTS_CA_BUNDLE="$AUTHORITY"; fi
  wait_for sleep "$(seconds_over_limit)"
  while :; do
    if run_certbot; then
      rm -f "$FAILURES"
      write_status true ''
      pause=$(renewal_pause)
    else
      message="$(failure_sentence)"
      echo "certbot: $message" >&2
      if has_valid_certificate; then
        pause=$(renewal_pause)
      else
        date +%s >>"$FAILURES"
        pause=$(pause_after "$(wc -l <"$FAILURES")")
      fi
      write_status false "$message"
    fi
    wait_for sleep "$pause"
  done
}

refuse() {
  echo "$*" >&2
  exit 1
}

# In the background, because a shell handles signals only between commands.
wait_for() {
  "$@" &
  child=$!
  wait "$child"
}

stop_child() { if [ -n "${child:-}" ]; then kill "$child" 2>/dev/null || true; fi; }

# Orders nothing while the certificate is valid for long, has these names and comes from this authority.
run_certbot() {
  set -- certonly --non-interactive --agree-tos --webroot --webroot-path "$ACME_ROOT" \
    --config-dir "$CERTIFICATES_DIR" --work-dir "$WORK_DIR" --logs-dir "$WORK_DIR" --max-log-backups 5 \
    --server "$ACME_DIRECTORY" --cert-name gatehouse --keep-until-expiring --renew-with-new-domains \
    --domain "$SITE_HOST"
  if [ -n "${IDENTITY_HOST:-}" ]; then set -- "$@" --domain "$IDENTITY_HOST"; fi
  if [ -n "${ACME_EMAIL:-}" ]; then set -- "$@" --email "$ACME_EMAIL" --no-eff-email; else set -- "$@" --register-unsafely-without-email; fi
  if is_from_other_authority; then set -- "$@" --force-renewal; fi
  wait_for certbot "$@" >"$WORK_DIR/output" 2>&1
}

# For instance of Let's Encrypt's test directory.
is_from_other_authority() {
  [ -e "$CERTIFICATES_DIR/renewal/gatehouse.conf" ] && ! grep -qxF "server = $ACME_DIRECTORY" "$CERTIFICATES_DIR/renewal/gatehouse.conf"
}

has_valid_certificate() {
  local name
  openssl x509 -in "$CERTIFICATE" -noout -checkend 0 >/dev/null 2>&1 || return 1
  for name in "$SITE_HOST" ${IDENTITY_HOST:-}; do
    openssl x509 -in "$CERTIFICATE" -noout -checkhost "$name" | grep -q 'does match' || return 1
  done
}

renewal_pause() { echo $((RENEWAL_SECONDS - $(shuf -i 0-$RENEWAL_SPREAD_SECONDS -n 1))); }

# After the first, second … failure: five tries in 13 minutes, then one an hour.
pause_after() {
  case $1 in
    1) echo 5 ;;
    2) echo 30 ;;
    3) echo 120 ;;
    4) echo 600 ;;
    *) echo $HOUR ;;
  esac
}

# A restart tries at once, unless the hour's failures are used up.
seconds_over_limit() {
  local oldest seconds=0
  if [ -e "$FAILURES" ] && [ "$(wc -l <"$FAILURES")" -ge $FAILURES_PER_HOUR ]; then
    oldest="$(tail -n $FAILURES_PER_HOUR "$FAILURES" | head -n 1)"
    seconds=$((oldest + HOUR - $(date +%s)))
  fi
  if [ "$seconds" -gt 0 ]; then echo "$seconds"; else echo 0; fi
}

# What the authority found wrong, otherwise what certbot did. Without addresses of machines and mailboxes.
failure_sentence() {
  local sentence
  sentence="$(sed -nE 's/^ *Detail: *//p' "$WORK_DIR/output" | head -n 1)"
  if [ -z "$sentence" ]; then sentence="$(sed -n '/^An unexpected error occurred:$/{n;p;}' "$WORK_DIR/output" | head -n 1)"; fi
  if [ -z "$sentence" ]; then sentence="$(grep -vE '^(Saving debug log|Ask for help|See the logfile|$)' "$WORK_DIR/output" | tail -n 1)"; fi
  printf '%s' "$sentence" |
    sed -E 's/^[A-Za-z._]*(Error|Exception|Timeout): //
      s/[^ ]+@[^ ]+/(address)/g
      s/([0-9]{1,3}\.){3}[0-9]{1,3}/(address)/g
      s/\[?([0-9A-Fa-f]{1,4}:){3,7}[0-9A-Fa-f]{1,4}\]?/(address)/g
      s/\[?([0-9A-Fa-f]{1,4}:)+(:[0-9A-Fa-f]{1,4})+\]?/(address)/g'
}

# Readable for the doctor's user; replaced as a whole.
write_status() {
  local message
  message="$(printf '%s' "$2" | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')"
  printf '{"checkedAt":"%s","isOk":%s,"message":"%s"}\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" "$message" >"$ACME_ROOT/status.new"
  chmod 0644 "$ACME_ROOT/status.new"
  mv "$ACME_ROOT/status.new" "$ACME_ROOT/status.json"
}

main "$@"
