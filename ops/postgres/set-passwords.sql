-- Sets the passwords of the roles to those of the environment, which appear neither in the process list nor in the server's log.
\getenv superuser POSTGRES_PASSWORD
\getenv app APP_PASSWORD
\getenv migrate MIGRATE_PASSWORD
\getenv keycloak KEYCLOAK_DB_PASSWORD
set log_statement = 'none';
set log_min_error_statement = 'panic';
alter role postgres password :'superuser';
alter role gatehouse_app password :'app';
alter role gatehouse_migrate password :'migrate';
alter role keycloak password :'keycloak';
