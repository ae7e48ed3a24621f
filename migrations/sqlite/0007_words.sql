-- Compatible with 0001.

-- The index of the parameter `words` of searches. The program writes it, in the transaction that writes the records.

-- The state of the index for one kind of records of a municipality; no row: nothing is indexed.
CREATE TABLE word_index (
  organization_id TEXT NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  kind            TEXT NOT NULL CHECK (kind IN ('submission', 'session')),
  -- Version of the rules of src/contract/search-words.ts.
  rules           INTEGER NOT NULL,
  -- Key of the last record that the first filling has reached; null: the index is complete.
  filled_to       BLOB,
  -- Raised with each change of the index, so that a search that began before starts again.
  revision        INTEGER NOT NULL,
  PRIMARY KEY (organization_id, kind)
) STRICT, WITHOUT ROWID;

-- A segment of the index: a range of a list, whose records have numbers.
CREATE TABLE word_segment (
  organization_id TEXT NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  kind            TEXT NOT NULL,
  segment         INTEGER NOT NULL,
  -- Keys of its records lie between these two, see src/store/words/record-key.ts.
  first_key       BLOB NOT NULL,
  last_key        BLOB NOT NULL,
  -- Of records.
  count           INTEGER NOT NULL,
  -- Of the next record that is added.
  next_number     INTEGER NOT NULL,
  -- Whether the order of the numbers is that of the keys: 0 or 1.
  is_sorted       INTEGER NOT NULL,
  PRIMARY KEY (organization_id, kind, segment)
) STRICT, WITHOUT ROWID;

-- Keys of the records of a segment in the order of their numbers, in parts, so that a search reads few of them. A foreign key would be
-- checked for each row: the trigger `word_index_removed` removes the rows of a municipality, here and in `word_posting`.
CREATE TABLE word_segment_keys (
  organization_id TEXT NOT NULL,
  segment         INTEGER NOT NULL,
  part            INTEGER NOT NULL,
  -- Those of removed records are zeros.
  keys            BLOB NOT NULL,
  PRIMARY KEY (organization_id, segment, part)
) STRICT;

-- The records of a segment that have a word.
CREATE TABLE word_posting (
  organization_id TEXT NOT NULL,
  segment         INTEGER NOT NULL,
  word            TEXT NOT NULL,
  -- Numbers of the records, 2 bytes each.
  numbers         BLOB NOT NULL,
  PRIMARY KEY (organization_id, segment, word)
) STRICT, WITHOUT ROWID;

-- Records whose present words are not in the index yet. Written by triggers, so that writes of every program are noticed; emptied by
-- the program before its transaction ends, and in the background.
CREATE TABLE word_pending (
  organization_id TEXT NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  kind            TEXT NOT NULL,
  id              TEXT NOT NULL,
  -- JSON object: the values of the record that the index has; null: it has none.
  indexed         TEXT,
  PRIMARY KEY (organization_id, kind, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER word_index_removed AFTER DELETE ON word_index
WHEN NOT EXISTS (SELECT 1 FROM change_history WHERE organization_id = old.organization_id) BEGIN
  DELETE FROM word_segment_keys WHERE organization_id = old.organization_id;
  DELETE FROM word_posting WHERE organization_id = old.organization_id;
END;

CREATE TRIGGER submission_words_added AFTER INSERT ON submission BEGIN
  INSERT INTO word_pending (organization_id, kind, id) VALUES (new.organization_id, 'submission', new.id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER submission_words_changed AFTER UPDATE ON submission
WHEN (old.organization_id, old.id, old.created_at, old.status, old.topic_category_name, old.source_id, old.reference_number, old.title, old.description, old.answer)
  IS NOT (new.organization_id, new.id, new.created_at, new.status, new.topic_category_name, new.source_id, new.reference_number, new.title, new.description, new.answer) BEGIN
  INSERT INTO word_pending (organization_id, kind, id, indexed) VALUES (
    old.organization_id, 'submission', old.id, json_object(
      'created_at', old.created_at,
      'status', old.status,
      'topic_category_name', old.topic_category_name,
      'source_id', old.source_id,
      'reference_number', old.reference_number,
      'title', old.title,
      'description', old.description,
      'answer', old.answer
    )
  ) ON CONFLICT DO NOTHING;
  INSERT INTO word_pending (organization_id, kind, id) VALUES (new.organization_id, 'submission', new.id) ON CONFLICT DO NOTHING;
END;

-- While a municipality is removed, its index is removed too.
CREATE TRIGGER submission_words_removed AFTER DELETE ON submission
WHEN EXISTS (SELECT 1 FROM change_history WHERE organization_id = old.organization_id) BEGIN
  INSERT INTO word_pending (organization_id, kind, id, indexed) VALUES (
    old.organization_id, 'submission', old.id, json_object(
      'created_at', old.created_at,
      'status', old.status,
      'topic_category_name', old.topic_category_name,
      'source_id', old.source_id,
      'reference_number', old.reference_number,
      'title', old.title,
      'description', old.description,
      'answer', old.answer
    )
  ) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER session_words_added AFTER INSERT ON session BEGIN
  INSERT INTO word_pending (organization_id, kind, id) VALUES (new.organization_id, 'session', new.id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER session_words_changed AFTER UPDATE ON session
WHEN (old.organization_id, old.id, old.date, old.committee_name, old.source_id, old.title)
  IS NOT (new.organization_id, new.id, new.date, new.committee_name, new.source_id, new.title) BEGIN
  INSERT INTO word_pending (organization_id, kind, id, indexed) VALUES (
    old.organization_id, 'session', old.id, json_object(
      'date', old.date,
      'committee_name', old.committee_name,
      'source_id', old.source_id,
      'title', old.title
    )
  ) ON CONFLICT DO NOTHING;
  INSERT INTO word_pending (organization_id, kind, id) VALUES (new.organization_id, 'session', new.id) ON CONFLICT DO NOTHING;
END;

-- While a municipality is removed, its index is removed too.
CREATE TRIGGER session_words_removed AFTER DELETE ON session
WHEN EXISTS (SELECT 1 FROM change_history WHERE organization_id = old.organization_id) BEGIN
  INSERT INTO word_pending (organization_id, kind, id, indexed) VALUES (
    old.organization_id, 'session', old.id, json_object(
      'date', old.date,
      'committee_name', old.committee_name,
      'source_id', old.source_id,
      'title', old.title
    )
  ) ON CONFLICT DO NOTHING;
END;
