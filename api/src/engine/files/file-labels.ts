import { sql, type SQL } from 'drizzle-orm'
import { files } from '#platform/files/file-tables.ts'

/** The files of a list of IDs, in its order, each found by primary key; those swept since have the state `gone`. */
export const fileLabels = (ids: SQL) => sql`(select jsonb_agg(jsonb_build_object(
    'id', named.id, 'name', coalesce(file.name, ''), 'type', coalesce(file.type, ''), 'size', coalesce(file.size, 0),
    'state', ${FILE_STATE}) order by named.place)
  from unnest(${ids}) with ordinality named (id, place)
  left join ${files} file on file.id = named.id and file.stage <> 'deleting')`

const FILE_STATE = sql`case when file.id is null then 'gone'
  when file.verdict in ('unchecked', 'infected') then file.verdict else 'ready' end`
