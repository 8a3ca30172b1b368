# shellcheck shell=bash
# Sourced by the scripts of the image, after read-secret.sh: the passwords that set-passwords.sql takes.

POSTGRES_PASSWORD="$(read_secret postgres_password 16)"
APP_PASSWORD="$(read_secret database_password 16)"
MIGRATE_PASSWORD="$(read_secret database_migration_password 16)"
KEYCLOAK_DB_PASSWORD="$(read_secret keycloak_database_password 16)"
export POSTGRES_PASSWORD APP_PASSWORD MIGRATE_PASSWORD KEYCLOAK_DB_PASSWORD
