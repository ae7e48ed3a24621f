-- Compatible with 0001.

-- The index of the parameter `words` of searches. The program writes it, in the transaction that writes the records.

-- The state of the index for one kind of records of a municipality; no row: nothing is indexed.
CREATE TABLE word_index (
  organization_id text COLLATE "C" NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  kind            text COLLATE "C" NOT NULL CHECK (kind IN ('submission', 'session')),
  -- Version of the rules of src/contract/search-words.ts.
  rules           bigint NOT NULL,
  -- Key of the last record that the first filling has reached; null: the index is complete.
  filled_to       bytea,
  -- Raised with each change of the index, so that a search that began before starts again.
  revision        bigint NOT NULL,
  PRIMARY KEY (organization_id, kind)
);

-- A segment of the index: a range of a list, whose records have numbers.
CREATE TABLE word_segment (
  organization_id text COLLATE "C" NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  kind            text COLLATE "C" NOT NULL,
  segment         bigint NOT NULL,
  -- Keys of its records lie between these two, see src/store/words/record-key.ts.
  first_key       bytea NOT NULL,
  last_key        bytea NOT NULL,
  -- Of records.
  count           bigint NOT NULL,
  -- Of the next record that is added.
  next_number     bigint NOT NULL,
  -- Whether the order of the numbers is that of the keys: 0 or 1.
  is_sorted       bigint NOT NULL,
  PRIMARY KEY (organization_id, kind, segment)
);

-- Keys of the records of a segment in the order of their numbers, in parts, so that a search reads few of them. A foreign key would be
-- checked for each row: the trigger `word_index_removed` removes the rows of a municipality, here and in `word_posting`.
CREATE TABLE word_segment_keys (
  organization_id text COLLATE "C" NOT NULL,
  segment         bigint NOT NULL,
  part            bigint NOT NULL,
  -- Those of removed records are zeros.
  keys            bytea NOT NULL,
  PRIMARY KEY (organization_id, segment, part)
);

-- The records of a segment that have a word.
CREATE TABLE word_posting (
  organization_id text COLLATE "C" NOT NULL,
  segment         bigint NOT NULL,
  word            text COLLATE "C" NOT NULL,
  -- Numbers of the records, 2 bytes each.
  numbers         bytea NOT NULL,
  PRIMARY KEY (organization_id, segment, word)
);
-- They do not compress.
ALTER TABLE word_segment_keys ALTER COLUMN keys SET STORAGE EXTERNAL;
ALTER TABLE word_posting ALTER COLUMN numbers SET STORAGE EXTERNAL;

-- Records whose present words are not in the index yet. Written by triggers, so that writes of every program are noticed; emptied by
-- the program before its transaction ends, and in the background.
CREATE TABLE word_pending (
  organization_id text COLLATE "C" NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  kind            text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  -- JSON object: the values of the record that the index has; null: it has none.
  indexed         text COLLATE "C",
  PRIMARY KEY (organization_id, kind, id)
);

CREATE POLICY tenant ON word_index USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON word_segment USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON word_segment_keys USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON word_posting USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON word_pending USING (organization_id = current_setting('rostra.organization_id', true));
ALTER TABLE word_index ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE word_segment ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE word_segment_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE word_posting ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE word_pending ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- A program that indexes the rows of its statement itself has set `rostra.indexes_words`. While a municipality is removed, its index
-- is removed too.
CREATE FUNCTION note_pending_words() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := substring(TG_TABLE_NAME FROM '^[a-z]+');
  indexed text := CASE kind
    WHEN 'submission' THEN 'json_build_object(
      ''created_at'', created_at,
      ''status'', status,
      ''topic_category_name'', topic_category_name,
      ''source_id'', source_id,
      ''reference_number'', reference_number,
      ''title'', title,
      ''description'', description,
      ''answer'', answer
    )::text'
    ELSE 'json_build_object(
      ''date'', date,
      ''committee_name'', committee_name,
      ''source_id'', source_id,
      ''title'', title
    )::text'
  END;
  query text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT organization_id, id, NULL::text AS indexed FROM added'
    WHEN 'DELETE' THEN format('SELECT organization_id, id, %s AS indexed FROM removed', indexed)
    ELSE format('
      (SELECT organization_id, id, %1$s AS indexed FROM removed EXCEPT SELECT organization_id, id, %1$s FROM added)
      UNION ALL (SELECT organization_id, id, NULL FROM added EXCEPT SELECT organization_id, id, NULL FROM removed)', indexed)
  END;
BEGIN
  IF coalesce(current_setting('rostra.indexes_words', true), '') <> 'on' THEN
    EXECUTE format('
      INSERT INTO %I (organization_id, kind, id, indexed)
      SELECT organization_id, $1, id, indexed FROM (%s) AS changed
      WHERE organization_id IN (SELECT organization_id FROM %I) ON CONFLICT DO NOTHING',
      find_table_beside(TG_TABLE_NAME, 'word_pending'), query, find_table_beside(TG_TABLE_NAME, 'change_history'))
    USING kind;
  END IF;
  RETURN NULL;
END
$$;

-- With the municipality.
CREATE FUNCTION remove_words() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_present boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE organization_id = $1)', find_table_beside(TG_TABLE_NAME, 'change_history'))
  INTO is_present USING old.organization_id;
  IF NOT is_present THEN
    EXECUTE format('DELETE FROM %I WHERE organization_id = $1', find_table_beside(TG_TABLE_NAME, 'word_segment_keys'))
    USING old.organization_id;
    EXECUTE format('DELETE FROM %I WHERE organization_id = $1', find_table_beside(TG_TABLE_NAME, 'word_posting'))
    USING old.organization_id;
  END IF;
  RETURN NULL;
END
$$;

-- After records were truncated, the index is filled again. While the municipalities are truncated, these tables are truncated too.
CREATE FUNCTION forget_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('TRUNCATE %I, %I, %I', find_table_beside(TG_TABLE_NAME, 'word_index'),
    find_table_beside(TG_TABLE_NAME, 'word_segment'), find_table_beside(TG_TABLE_NAME, 'word_pending'));
  RETURN NULL;
EXCEPTION WHEN object_in_use THEN
  RETURN NULL;
END
$$;

CREATE FUNCTION forget_postings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('TRUNCATE %I, %I', find_table_beside(TG_TABLE_NAME, 'word_segment_keys'),
    find_table_beside(TG_TABLE_NAME, 'word_posting'));
  RETURN NULL;
END
$$;

-- The triggers only use rows of the same municipality, on the same node of Citus.
DO $citus$ BEGIN
  IF to_regclass('pg_dist_partition') IS NOT NULL THEN
    IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'change_history'::regclass) THEN
      PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
      PERFORM create_distributed_table('word_index', 'organization_id', colocate_with => 'change_history');
      PERFORM create_distributed_table('word_segment', 'organization_id', colocate_with => 'change_history');
      PERFORM create_distributed_table('word_segment_keys', 'organization_id', colocate_with => 'change_history');
      PERFORM create_distributed_table('word_posting', 'organization_id', colocate_with => 'change_history');
      PERFORM create_distributed_table('word_pending', 'organization_id', colocate_with => 'change_history');
    END IF;
  END IF;
END $citus$;

CREATE TRIGGER submission_words_added AFTER INSERT ON submission REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_pending_words();
CREATE TRIGGER submission_words_changed AFTER UPDATE ON submission REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_pending_words();
CREATE TRIGGER submission_words_removed AFTER DELETE ON submission REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION note_pending_words();
CREATE TRIGGER session_words_added AFTER INSERT ON session REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_pending_words();
CREATE TRIGGER session_words_changed AFTER UPDATE ON session REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_pending_words();
CREATE TRIGGER session_words_removed AFTER DELETE ON session REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION note_pending_words();
CREATE TRIGGER forget_words AFTER TRUNCATE ON submission FOR EACH STATEMENT EXECUTE FUNCTION forget_words();
CREATE TRIGGER forget_words AFTER TRUNCATE ON session FOR EACH STATEMENT EXECUTE FUNCTION forget_words();
CREATE TRIGGER word_index_removed AFTER DELETE ON word_index FOR EACH ROW EXECUTE FUNCTION remove_words();
CREATE TRIGGER forget_postings AFTER TRUNCATE ON word_index FOR EACH STATEMENT EXECUTE FUNCTION forget_postings();
