#!/bin/bash
# Keycloak in a container: reads its secrets from their files, as `docker inspect` shows the environment.
set -euo pipefail

secret() {
  local file="/run/secrets/$1" least="$2"
  [ -s "$file" ] || { echo "The secret $1 is missing: ./gatehouse init makes it" >&2; exit 1; }
  [ "$(wc -c <"$file")" -ge "$least" ] || { echo "The secret $1 must have at least $least characters" >&2; exit 1; }
  cat "$file"
}

KC_DB_PASSWORD="$(secret keycloak_database_password 16)"
KC_BOOTSTRAP_ADMIN_CLIENT_SECRET="$(secret realm_secret 24)"
export KC_DB_PASSWORD KC_BOOTSTRAP_ADMIN_CLIENT_SECRET
if [ -n "${AUTHORITY:-}" ]; then export KC_TRUSTSTORE_PATHS="$AUTHORITY"; fi
exec /opt/keycloak/bin/kc.sh start --optimized --cache=local
