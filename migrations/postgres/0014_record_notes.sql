-- Compatible with 0001.

-- Notes of colleagues on a record. They are never published.
CREATE TABLE record_note (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  kind            text COLLATE "C" NOT NULL CHECK (kind IN ('submission', 'session', 'survey')),
  record_id       uuid_text NOT NULL,
  id              uuid_text NOT NULL,
  text            text COLLATE "C" NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  -- Email address of the account.
  actor           text COLLATE "C" NOT NULL CHECK (length(actor) BETWEEN 1 AND 254),
  created_at      timestamp_text NOT NULL,
  PRIMARY KEY (organization_id, kind, record_id, id)
);

CREATE POLICY tenant ON record_note USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY copy ON record_note FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
ALTER TABLE record_note ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- Version 1.0 removes records for good, too.
CREATE FUNCTION delete_record_notes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM record_note WHERE organization_id = new.organization_id AND kind = new.kind AND record_id = new.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER record_removed AFTER INSERT OR UPDATE OF decision ON record_decision
  FOR EACH ROW WHEN (new.decision = 'removed') EXECUTE FUNCTION delete_record_notes();
