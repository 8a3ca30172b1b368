#!/bin/bash
# Installs Gatehouse on one server with Debian 12, Debian 13 or Ubuntu 24.04, without containers: from an unpacked release archive, or
# from a checkout, which it builds with the code of /etc/gatehouse/site. Run it as root: the first time it installs, afterwards it
# upgrades to that release, or applies changed settings and a changed site. Safe to repeat: changes only what differs, and the old
# release serves until the new one is complete.
#
#   ops/install.sh
#
# Each variable may be given at any run and is then stored in /etc/gatehouse; an upgrade needs none. `gatehouse init` asks for the most
# important ones.
#
#   SMTP_URL          the mail relay, as in smtp://relay.mine.ie:587; without it mails are queued, and the doctor fails
#   OWNER_EMAIL       who is invited as the first owner, and the account at the certificate's authority (ACME_EMAIL)
#   IDENTITY          here: Keycloak on this server (default); elsewhere: with OIDC_ISSUER. Decided by the first run
#   IDENTITY_HOST     name of the sign-in pages (id. and the site's name)
#   KEYCLOAK_ARCHIVE  file of Keycloak's archive; without it, it is fetched. KEYCLOAK_PORT: on 127.0.0.1 (8180)
#   OIDC_ISSUER       the realm of an identity provider elsewhere
#   IDENTITY_ADMIN_URL  and REALM_SECRET: that Keycloak's own address and the secret of its account realm-apply; with them each run
#                     applies this release's realm
#   TLS               acme: certbot gets the certificate (default); files: TLS_CERTIFICATE and TLS_KEY
#                     (/etc/gatehouse/tls/certificate.pem, key.pem); off: http only, behind a balancer that ends TLS
#   ACME_DIRECTORY    of another authority than Let's Encrypt
#   API_PORTS         a replica of the API on each ("8081 8082"); a single one is unavailable while it is replaced
#   HTTPS_PORT        and HTTP_PORT: ports of nginx (443 and 80)
#   POSTGRES_CLUSTER  needed if there is more than one, as in 17/main
#   BACKUP_BUCKET     https://ENDPOINT/BUCKET, BACKUP_S3_KEY and BACKUP_S3_SECRET: where backups go; without it they stay on this
#                     machine, and the doctor fails; BACKUP_REGION (us-east-1)
#   FILES_MAX_MB      size of the largest file that people attach (100)
#   FILES_BUCKET      https://ENDPOINT/BUCKET, FILES_S3_KEY and FILES_S3_SECRET: where files are stored instead of on this machine;
#                     FILES_REGION (us-east-1)
#   CLAMD_URL         virus scanner of files, as in tcp://127.0.0.1:3310; CLAMD_MAX_MB: its StreamMaxLength (100)
#   NOTICE_SUMMARY    what changes in the privacy notice, if this release stores other data than the last version says: adds one
#   ADMIN_MFA         off: admins need no second factor (on)
#   PROXIES_IN_FRONT  load balancers or CDNs whose X-Forwarded-For is trusted ("10.0.0.0/8 192.0.2.7"); none by default
set -euo pipefail
umask 022
# Third-party code of the build must not read them.
export -n SMTP_URL REALM_SECRET BACKUP_S3_KEY BACKUP_S3_SECRET FILES_S3_KEY FILES_S3_SECRET

SOURCE="$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)"
# shellcheck source=ops/env-file.sh
. "$SOURCE/ops/env-file.sh"
# shellcheck source=ops/nginx/functions.sh
. "$SOURCE/ops/nginx/functions.sh"
for part in common system database release settings keycloak; do
  # shellcheck source=/dev/null
  . "$SOURCE/ops/server/$part.sh"
done
CERTIFICATE_TRIES=60

main() {
  if [ $# -gt 0 ]; then usage; fi
  [ "$(id -u)" = 0 ] || stop 'Run it as root.'
  [ -e /etc/debian_version ] || stop 'This is for Debian and Ubuntu.'
  if [ $HAS_SYSTEMD = no ]; then say 'systemd is not running: installing everything, but starting only PostgreSQL.'; fi
  install_packages
  make_places
  make_site
  limit_logs
  start_postgres
  make_release
  remember_settings
  if [ "$IDENTITY" = here ]; then install_java; fi
  if [ "$TLS" = acme ]; then install_packages certbot; fi
  make_database
  archive_changes
  check_site
  migrate
  install_units
  install_keycloak
  start_keycloak
  apply_realm
  switch_release
  write_commands
  start_api
  start_nginx
  invite_owner
  remove_old_releases
  plan_backups
  examine
}

# Prints the comment at the top of this file.
usage() {
  sed -nE '2,/^set /s/^# ?//p' "$0" >&2
  exit 2
}

start_nginx() {
  "$RELEASE/ops/server/nginx.sh"
  if [ $HAS_SYSTEMD = no ]; then return; fi
  # Lets nginx read a new certificate.
  systemctl enable --quiet --now gatehouse-certificate.path
  if [ "$TLS" = acme ]; then order_certificate; else systemctl disable --quiet --now gatehouse-certbot.service; fi
}

# Waits for the first one, so that the doctor judges what visitors get.
order_certificate() {
  local try
  systemctl enable --quiet --now gatehouse-certbot.service
  # It reads its settings once.
  if [ $ETC/proxy.env -nt $STATE/acme/status.json ]; then systemctl restart gatehouse-certbot.service; fi
  for ((try = 0; try < CERTIFICATE_TRIES; try++)); do
    if [ -e $STATE/acme/status.json ]; then break; fi
    sleep 1
  done
  if [ -e $CERTIFICATES/live/gatehouse/fullchain.pem ]; then systemctl start gatehouse-certificate.service; fi
}

examine() {
  if [ $HAS_SYSTEMD = no ]; then
    say 'Installed. Boot it with systemd and run this again.'
  elif ! gatehouse doctor; then
    echo 'Installed, and it serves. Fix what has a ✗; gatehouse doctor looks again.' >&2
    exit $SERVES_WITH_FAILURES
  fi
}

main "$@"
