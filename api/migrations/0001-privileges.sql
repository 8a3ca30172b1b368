-- Search asks for parts of words.
create extension if not exists pg_trgm;

-- Every table made from here on: the application reads and writes it, the read-only role reads it.
alter default privileges in schema public grant select, insert, update, delete on tables to gatehouse_app;
alter default privileges in schema public grant select on tables to gatehouse_read;
grant usage on schema public to gatehouse_app, gatehouse_read;
