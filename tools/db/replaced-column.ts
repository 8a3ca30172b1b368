import { name } from './sql-values.ts'

type Pair = {
  table: string
  old: string
  new: string
  /** SQL of the new value from the old column. */
  forward: string
  /** The reverse; null leaves the old column empty. */
  backward: string | null
}

/**
 * Keeps a column and the one that replaces it the same, whichever release writes: the release before knows the old one only.
 * The old value stays if it already yields the new one, because a conversion may lose digits.
 */
export const syncColumns = (pair: Pair) => {
  const [was, is] = [name(pair.old), name(pair.new)]
  const forward = `(SELECT ${pair.forward} FROM (SELECT NEW.*) AS one)`
  const backward = pair.backward ? `(SELECT ${pair.backward} FROM (SELECT NEW.*) AS one)` : 'NULL'
  const functionName = name(syncName(pair.table, pair.old))
  return `CREATE FUNCTION ${functionName}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.${is} IS NULL
    OR TG_OP = 'UPDATE' AND NEW.${was} IS DISTINCT FROM OLD.${was} AND NEW.${is} IS NOT DISTINCT FROM OLD.${is} THEN
    NEW.${is} := ${forward};
  ELSIF ${forward} IS DISTINCT FROM NEW.${is} THEN
    NEW.${was} := ${backward};
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER ${functionName} BEFORE INSERT OR UPDATE OF ${was}, ${is} ON ${name(pair.table)}
  FOR EACH ROW EXECUTE FUNCTION ${functionName}();`
}

export const dropSync = (table: string, old: string) => {
  const functionName = name(syncName(table, old))
  return `DROP TRIGGER IF EXISTS ${functionName} ON ${name(table)};

DROP FUNCTION IF EXISTS ${functionName}();`
}

const syncName = (table: string, old: string) => `${table}_${old}_sync`
