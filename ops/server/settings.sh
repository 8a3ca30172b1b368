# shellcheck shell=bash
# Sourced by ops/install.sh: the settings in /etc/gatehouse. A variable that is given replaces the stored one; without either, a
# default is stored.

# Answers of `gatehouse init`, until they are stored.
read_answers() {
  local name
  if [ "$(setting_of $ETC/server.env ANSWERS)" = "$(hash_of_answers)" ]; then return; fi
  for name in IDENTITY_HOST OWNER_EMAIL OIDC_ISSUER TLS BACKUP_BUCKET; do
    if [ -z "${!name:-}" ]; then printf -v "$name" %s "$(setting_of $ETC/init.env "$name")"; fi
  done
  for name in SMTP_URL BACKUP_S3_KEY BACKUP_S3_SECRET; do
    if [ -z "${!name:-}" ]; then printf -v "$name" %s "$(cat "$ETC/secrets/${name,,}")"; fi
  done
}

# Empty without answers.
hash_of_answers() {
  if [ -e $ETC/init.env ]; then cat $ETC/init.env $ETC/secrets/{smtp_url,backup_s3_key,backup_s3_secret} | sha256sum | cut -c1-16; fi
}

# remember FILE NAME [DEFAULT]
remember() {
  if [ -n "${!2:-}" ]; then
    set_setting "$1" "$2" "${!2}"
  elif ! grep -qs "^$2=" "$1"; then
    set_setting "$1" "$2" "${3-}"
  fi
}

remember_settings() {
  read_answers
  choose_identity
  create_file 0644 $ETC/server.env 'Settings of this server. After a change: gatehouse up.'
  set_setting $ETC/server.env POSTGRES_CLUSTER "$POSTGRES_VERSION/$POSTGRES_CLUSTER"
  set_setting $ETC/server.env IDENTITY "$IDENTITY"
  remember_proxy
  remember_api
  if [ $IDENTITY = here ]; then remember_keycloak; else remember_realm; fi
  if [ ! -e $ETC/migrate.env ]; then
    create_file 0600 $ETC/migrate.env 'Of migrations alone.'
    set_setting $ETC/migrate.env DATABASE_MIGRATION_URL \
      "postgres://gatehouse_migrate:$(openssl rand -hex 24)@127.0.0.1:$POSTGRES_PORT/gatehouse"
  fi
  if [ -e $ETC/init.env ]; then set_setting $ETC/server.env ANSWERS "$(hash_of_answers)"; fi
  read_settings
}

create_file() { if [ ! -e "$2" ]; then printf '# %s\n' "$3" | write "$1" "$2"; fi; }

# An installation that has its provider elsewhere keeps it.
choose_identity() {
  local stored
  stored="$(setting_of $ETC/server.env IDENTITY)"
  if [ -n "$stored" ]; then
    IDENTITY=$stored
  elif [ -e $ETC/env ] || [ -n "${OIDC_ISSUER:-}" ]; then
    IDENTITY=elsewhere
  else
    IDENTITY=${IDENTITY:-here}
  fi
  case $IDENTITY in
  here | elsewhere) ;;
  *) stop "IDENTITY must be here or elsewhere, not \"$IDENTITY\"." ;;
  esac
  if [ $IDENTITY = elsewhere ] && [ ! -e $ETC/env ]; then
    : "${OIDC_ISSUER:?is needed with IDENTITY=elsewhere: the address of the realm, as in https://id.mine.ie/realms/gatehouse}"
  fi
}

remember_proxy() {
  local host
  host="$(site_host)"
  if [ ! -e $ETC/proxy.env ]; then
    create_file 0644 $ETC/proxy.env 'Settings of nginx and certbot. After a change: gatehouse up.'
    set_setting $ETC/proxy.env TLS "${TLS:-$([ -n "${TLS_CERTIFICATE:-}" ] && echo files || echo acme)}"
  fi
  # An older installation has no certbot.
  remember $ETC/proxy.env TLS files
  remember $ETC/proxy.env TLS_CERTIFICATE $ETC/tls/certificate.pem
  remember $ETC/proxy.env TLS_KEY $ETC/tls/key.pem
  remember $ETC/proxy.env API_PORTS '8081 8082'
  remember $ETC/proxy.env HTTPS_PORT 443
  remember $ETC/proxy.env HTTP_PORT 80
  remember $ETC/proxy.env PROXIES_IN_FRONT
  set_setting $ETC/proxy.env SITE_HOST "$host"
  if [ $IDENTITY = here ]; then remember $ETC/proxy.env IDENTITY_HOST "id.$host"; fi
  remember $ETC/proxy.env ACME_EMAIL "${OWNER_EMAIL:-}"
  remember $ETC/proxy.env ACME_DIRECTORY
  IDENTITY_HOST="$(setting_of $ETC/proxy.env IDENTITY_HOST)"
}

# Generated once. Only migrations need to alter tables, so the API does not get that password.
remember_api() {
  if [ ! -e $ETC/env ]; then
    say "Settings: $ETC/env"
    create_file 0640 $ETC/env 'Settings of the API: .env.example explains them all. After a change: gatehouse up.'
    set_setting $ETC/env DATABASE_URL "postgres://gatehouse_app:$(openssl rand -hex 24)@127.0.0.1:$POSTGRES_PORT/gatehouse"
  elif ! grep -q '^ADMIN_MFA=' $ETC/env && [ -z "${REALM_SECRET:-}" ]; then
    # An older installation: until the realm is applied, no admin's token contains the second factor.
    say "Admins need no second factor yet: apply the realm, then set ADMIN_MFA=on in $ETC/env (docs/operating.md)."
    set_setting $ETC/env ADMIN_MFA off
  fi
  if [ $IDENTITY = here ]; then OIDC_ISSUER=https://$IDENTITY_HOST/realms/gatehouse; fi
  remember $ETC/env OIDC_ISSUER
  remember $ETC/env SMTP_URL
  remember $ETC/env ADMIN_MFA on
  # Where the API writes, and what it reads for the doctor.
  set_setting $ETC/env PAGES_DIR $STATE/pages
  set_setting $ETC/env NOTICE_DIR $STATE/notice
  set_setting $ETC/env THEMES_DIR $STATE/themes
  set_setting $ETC/env BACKUP_STATUS_FILE $STATE/backup/status.json
  set_setting $ETC/env ACME_STATUS_FILE $STATE/acme/status.json
  remember_files
  if [ -e $TRUSTED ]; then set_setting $ETC/env NODE_EXTRA_CA_CERTS $TRUSTED; fi
}

# Files of records. Links to them are signed, by an older installation from now on.
remember_files() {
  local name
  set_setting $ETC/env FILES_DIR $STATE/files
  if [ ! -s $ETC/signing-secret ]; then openssl rand -hex 24 | write 0640 $ETC/signing-secret; fi
  set_setting $ETC/env SIGNING_SECRET_FILE $ETC/signing-secret
  for name in FILES_MAX_MB FILES_BUCKET FILES_REGION FILES_S3_KEY FILES_S3_SECRET CLAMD_URL CLAMD_MAX_MB; do
    if [ -n "${!name:-}" ]; then set_setting $ETC/env "$name" "${!name}"; fi
  done
}

# Only applying the realm needs its secret, so the API does not get it.
remember_realm() {
  if [ -z "${REALM_SECRET:-}" ] || [ -e $ETC/realm.env ]; then return; fi
  : "${IDENTITY_ADMIN_URL:?is needed with REALM_SECRET: the address of Keycloak itself, as in http://10.0.0.7:8080}"
  create_file 0600 $ETC/realm.env 'Settings of realm-apply: .env.example explains them.'
  set_setting $ETC/realm.env REALM_SECRET "$REALM_SECRET"
  set_setting $ETC/env IDENTITY_ADMIN_URL "$IDENTITY_ADMIN_URL"
  set_setting $ETC/env IDENTITY_SERVICE_SECRET "$(openssl rand -hex 24)"
  set_setting $ETC/env OIDC_OWNER_PATH owner
}

# Keycloak on this server: only nginx, the API and the realm's program reach it.
remember_keycloak() {
  local address
  if [ ! -e $ETC/keycloak.env ]; then refuse_foreign_keycloak; fi
  create_file 0600 $ETC/keycloak.env 'Settings of Keycloak.'
  create_file 0600 $ETC/realm.env 'Settings of realm-apply: .env.example explains them.'
  remember $ETC/realm.env REALM_SECRET "$(openssl rand -hex 24)"
  remember $ETC/realm.env OWNER_EMAIL
  remember $ETC/env IDENTITY_SERVICE_SECRET "$(openssl rand -hex 24)"
  KC_HTTP_PORT=${KEYCLOAK_PORT:-} remember $ETC/keycloak.env KC_HTTP_PORT 8180
  address=http://127.0.0.1:$(setting_of $ETC/keycloak.env KC_HTTP_PORT)
  # Not by its public name: the certificate may not be there yet.
  set_setting $ETC/env OIDC_JWKS_URI "$address/realms/gatehouse/protocol/openid-connect/certs"
  set_setting $ETC/env IDENTITY_ADMIN_URL "$address"
  set_setting $ETC/env OIDC_OWNER_PATH owner
  # Errors of the database go to Keycloak's log, and would quote the values of the row.
  set_setting $ETC/keycloak.env KC_DB_URL "jdbc:postgresql://127.0.0.1:$POSTGRES_PORT/keycloak?logServerErrorDetail=false"
  set_setting $ETC/keycloak.env KC_DB_USERNAME keycloak
  KC_DB_PASSWORD='' remember $ETC/keycloak.env KC_DB_PASSWORD "$(openssl rand -hex 24)"
  set_setting $ETC/keycloak.env KC_HOSTNAME "https://$IDENTITY_HOST"
  set_setting $ETC/keycloak.env KC_BOOTSTRAP_ADMIN_CLIENT_ID realm-apply
  set_setting $ETC/keycloak.env KC_BOOTSTRAP_ADMIN_CLIENT_SECRET "$(setting_of $ETC/realm.env REALM_SECRET)"
  # A variable of the theme.
  set_setting $ETC/keycloak.env SITE_URL "https://$(site_host)"
  if [ -e $TRUSTED ]; then set_setting $ETC/keycloak.env KC_TRUSTSTORE_PATHS $TRUSTED; fi
}

refuse_foreign_keycloak() {
  if [ "$(as_postgres psql -Atc "select count(*) from pg_database where datname = 'keycloak'")" = 0 ]; then return; fi
  stop "The cluster $POSTGRES_VERSION/$POSTGRES_CLUSTER has a database keycloak, whose realm is not taken over: give its address in OIDC_ISSUER."
}

read_settings() {
  read_env_file $ETC/env
  read_env_file $ETC/migrate.env
  if [ -e $ETC/realm.env ]; then read_env_file $ETC/realm.env; fi
  if [ -e $ETC/keycloak.env ]; then read_env_file $ETC/keycloak.env; fi
  read_env_file $ETC/proxy.env
}
