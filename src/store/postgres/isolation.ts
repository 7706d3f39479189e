/**
 * What the database itself keeps up, in SQL: that a transaction sees one project, that counts are right, and that what
 * finds a memory goes with it.
 */
import pg from 'pg'

/** Who owns the schema, and where pgvector's types are. */
export interface Surroundings {
  readonly owner: string
  readonly extension: string
}

/** Rows of one project's tally: more writers than that at once wait for each other now and then. */
const slots = 32

const counting = `
  CREATE FUNCTION count_memories() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO brain.tally AS kept (project_id, slot, memories, terms)
    SELECT project_id, pg_backend_pid() % ${slots}, sum(memories), sum(terms) FROM (
      SELECT project_id, 1 AS memories, length AS terms FROM added
    ) AS changed GROUP BY project_id
    ON CONFLICT (project_id, slot)
      DO UPDATE SET memories = kept.memories + excluded.memories, terms = kept.terms + excluded.terms;
    RETURN NULL;
  END $$;
  CREATE FUNCTION discount_memories() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO brain.tally AS kept (project_id, slot, memories, terms)
    SELECT project_id, pg_backend_pid() % ${slots}, -count(*), -sum(length) FROM removed GROUP BY project_id
    ON CONFLICT (project_id, slot)
      DO UPDATE SET memories = kept.memories + excluded.memories, terms = kept.terms + excluded.terms;
    DELETE FROM brain.posting USING removed
      WHERE posting.project_id = removed.project_id AND posting.memory_id = removed.id
        AND posting.term = ANY(string_to_array(removed.terms, ' ') COLLATE "C");
    RETURN NULL;
  END $$;
  CREATE FUNCTION recount_terms() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO brain.tally AS kept (project_id, slot, terms)
    SELECT project_id, pg_backend_pid() % ${slots}, sum(terms) FROM (
      SELECT project_id, length AS terms FROM added UNION ALL SELECT project_id, -length FROM removed
    ) AS changed GROUP BY project_id HAVING sum(terms) <> 0
    ON CONFLICT (project_id, slot) DO UPDATE SET terms = kept.terms + excluded.terms;
    RETURN NULL;
  END $$;
  CREATE TRIGGER memories_added AFTER INSERT ON memory REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_memories();
  CREATE TRIGGER memories_removed AFTER DELETE ON memory REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION discount_memories();
  CREATE TRIGGER memories_changed AFTER UPDATE ON memory REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION recount_terms();

  CREATE FUNCTION count_unembedded() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO brain.tally AS kept (project_id, slot, unembedded)
    SELECT project_id, pg_backend_pid() % ${slots},
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed GROUP BY project_id
    ON CONFLICT (project_id, slot) DO UPDATE SET unembedded = kept.unembedded + excluded.unembedded;
    RETURN NULL;
  END $$;
  CREATE TRIGGER unembedded_added AFTER INSERT ON unembedded REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_unembedded();
  CREATE TRIGGER unembedded_removed AFTER DELETE ON unembedded REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_unembedded();

  -- Of a model that is served no more nobody keeps vectors in memory.
  CREATE FUNCTION tell_removed_passages() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO brain.removed_passage (project_id, passage_id)
    SELECT project_id, removed.id FROM removed JOIN brain.model ON model.id = model_id AND NOT retired;
    DELETE FROM brain.removed_passage WHERE project_id IN (SELECT project_id FROM removed)
      AND removed_at < now() - interval '1 day';
    RETURN NULL;
  END $$;
  CREATE TRIGGER passages_removed AFTER DELETE ON passage REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION tell_removed_passages();
`

/** Kinds of records of which other projects may learn only that an id is not theirs. */
const takenKinds = ['memory', 'belief', 'evidence', 'prediction', 'dream', 'observation'] as const

/** What a process asks that sees one project: numbers and yes or no, of no text. */
const answering = ({ extension }: Surroundings): string => {
  const path = `SET search_path = brain, ${pg.escapeIdentifier(extension)}, pg_temp`
  const taken = takenKinds.map(
    (kind) => `WHEN '${kind}' THEN EXISTS (SELECT 1 FROM brain.${kind} WHERE ${kind}.id = is_taken.id)`,
  )
  return `
  CREATE FUNCTION is_taken(kind text, id bigint) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER ${path} AS $$
    SELECT CASE kind ${taken.join(' ')} END
  $$;
  CREATE FUNCTION count_keys() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER ${path} AS $$
    SELECT count(*) FROM brain.key
  $$;
  -- Above 4,000 dimensions pgvector keeps no index; such vectors are compared one by one.
  CREATE FUNCTION index_model(model_id bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
  DECLARE
    size integer := (SELECT dimension FROM brain.model WHERE id = index_model.model_id);
  BEGIN
    IF size <= 4000 THEN
      EXECUTE format(
        'CREATE INDEX IF NOT EXISTS passage_near_%s ON brain.passage
         USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) WHERE model_id = %s AND embedding IS NOT NULL',
        model_id, size, model_id
      );
    END IF;
  END $$;
  CREATE FUNCTION unindex_model(model_id bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM brain.model WHERE id = unindex_model.model_id AND NOT retired) THEN
      RAISE EXCEPTION 'model % is served', model_id;
    END IF;
    EXECUTE format('DROP INDEX IF EXISTS brain.passage_near_%s', model_id);
  END $$;
  REVOKE ALL ON ALL FUNCTIONS IN SCHEMA brain FROM PUBLIC;
`
}

/** The project that a transaction was begun for; none where none was named. */
const current = "nullif(current_setting('brain.project', true), '')::bigint"

/** A project's size and the state of its vectors are visible to everybody who may ask, as its name is. */
export const openTables = ['tally', 'indexed'] as const

const answerable = (table: string, owner: string): string => `
  DROP POLICY IF EXISTS of_owner ON ${table};
  CREATE POLICY of_owner ON ${table} FOR SELECT TO ${pg.escapeIdentifier(owner)} USING (true);`

/** Holds to one project what is not held yet: new tables, and what an administrator changed. */
export const guards = ({ owner }: Surroundings): string => `
  DO $$
  DECLARE
    name text;
  BEGIN
    FOR name IN
      SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relnamespace = 'brain'::regnamespace AND relkind = 'r' AND attname = 'project_id'
        AND relname NOT IN (${openTables.map((table) => `'${table}'`).join(', ')})
        AND NOT (relrowsecurity AND relforcerowsecurity
                 AND EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = pg_class.oid AND polname = 'of_project'))
    LOOP
      EXECUTE format('ALTER TABLE brain.%I ENABLE ROW LEVEL SECURITY', name);
      EXECUTE format('ALTER TABLE brain.%I FORCE ROW LEVEL SECURITY', name);
      EXECUTE format('DROP POLICY IF EXISTS of_project ON brain.%I', name);
      EXECUTE format($policy$
        CREATE POLICY of_project ON brain.%I USING (project_id = ${current}) WITH CHECK (project_id = ${current})
      $policy$, name);
    END LOOP;
  END $$;
  -- Whose key it is has to be known before the project is.
  DROP POLICY IF EXISTS of_key ON key;
  CREATE POLICY of_key ON key FOR SELECT USING (id = current_setting('brain.key', true));
  -- Nobody is the owner but the functions that answer in its name.
  ${[...takenKinds, 'key'].map((table) => answerable(table, owner)).join('')}
`

/** Part of the schema's first step. */
export const rules = (surroundings: Surroundings): string => counting + answering(surroundings)
