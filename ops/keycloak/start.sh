#!/bin/bash
# Keycloak in a container: its secrets are files.
set -euo pipefail

. "$(dirname "$0")/read-secret.sh"

KC_DB_PASSWORD="$(read_secret keycloak_database_password 16)"
KC_BOOTSTRAP_ADMIN_CLIENT_SECRET="$(read_secret realm_secret 24)"
export KC_DB_PASSWORD KC_BOOTSTRAP_ADMIN_CLIENT_SECRET
if [ -n "${AUTHORITY:-}" ]; then export KC_TRUSTSTORE_PATHS="$AUTHORITY"; fi
exec /opt/keycloak/bin/kc.sh start --optimized --cache=local
