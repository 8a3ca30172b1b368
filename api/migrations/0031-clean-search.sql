-- Moves what the search indexes hold in their pending lists into the indexes proper: a search reads such a list whole, and whoever
-- fills it has to wait while it is moved. Only the owner of an index may ask for it.
create function clean_search() returns bigint
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(sum(gin_clean_pending_list(indexrelid)), 0)::bigint
  from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
  where relnamespace = 'public'::regnamespace and amname = 'gin' and indisvalid
$$;

revoke execute on function clean_search from public;
grant execute on function clean_search to gatehouse_app;
