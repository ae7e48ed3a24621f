-- Compatible with 0001.

-- Notes of colleagues on a record. They are never published.
CREATE TABLE record_note (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  kind            TEXT NOT NULL CHECK (kind IN ('submission', 'session', 'survey')),
  record_id       TEXT NOT NULL CHECK (length(record_id) = 36),
  id              TEXT NOT NULL CHECK (length(id) = 36),
  text            TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 2000 AND instr(text, char(0)) = 0),
  -- Email address of the account.
  actor           TEXT NOT NULL CHECK (length(actor) BETWEEN 1 AND 254),
  created_at      TEXT NOT NULL CHECK (created_at > '0001' AND created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  PRIMARY KEY (organization_id, kind, record_id, id)
) STRICT, WITHOUT ROWID;

-- Version 1.0 removes records for good, too.
CREATE TRIGGER record_removed_at_once AFTER INSERT ON record_decision WHEN new.decision = 'removed' BEGIN
  DELETE FROM record_note WHERE organization_id = new.organization_id AND kind = new.kind AND record_id = new.id;
END;
CREATE TRIGGER record_removed AFTER UPDATE OF decision ON record_decision WHEN new.decision = 'removed' BEGIN
  DELETE FROM record_note WHERE organization_id = new.organization_id AND kind = new.kind AND record_id = new.id;
END;
