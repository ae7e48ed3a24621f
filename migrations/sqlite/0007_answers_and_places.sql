-- Compatible with 0001.

-- Beyond the specification, as `title` and `source_url` are.
ALTER TABLE submission ADD COLUMN answer TEXT CHECK (length(answer) BETWEEN 1 AND 100000 AND instr(answer, char(0)) = 0);
ALTER TABLE submission ADD COLUMN source_status TEXT CHECK (length(source_status) BETWEEN 1 AND 1000
  AND instr(source_status, char(0)) = 0 AND source_status NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*');
ALTER TABLE session ADD COLUMN place TEXT CHECK (length(place) BETWEEN 1 AND 1000 AND instr(place, char(0)) = 0
  AND place NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*');

DROP TRIGGER submission_changed;
CREATE TRIGGER submission_changed AFTER UPDATE ON submission
WHEN old.document <> new.document
  OR (old.title, old.source_url, old.answer, old.source_status) IS NOT (new.title, new.source_url, new.answer, new.source_status) BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'submission', new.id);
END;

DROP TRIGGER session_changed;
CREATE TRIGGER session_changed AFTER UPDATE ON session
WHEN old.document <> new.document
  OR (old.title, old.source_url, old.place) IS NOT (new.title, new.source_url, new.place) BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'session', new.id);
END;

-- Words of answers are searched.
DROP TRIGGER submission_words_changed;
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
DROP TRIGGER submission_words_removed;
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
