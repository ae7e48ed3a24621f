-- Compatible with 0001.

-- Whether another person approves what is published in the admin area.
ALTER TABLE organization ADD COLUMN approval TEXT NOT NULL DEFAULT 'off' CHECK (approval IN ('on', 'off'));

-- Requests to publish, which another person approves.
CREATE TABLE approval_request (
  organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  id               TEXT NOT NULL CHECK (length(id) = 36),
  -- See `ApprovalKind`.
  kind             TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
  -- Id of the run, name of the source, kind and id of the record; empty for the municipality.
  subject          TEXT NOT NULL CHECK (length(subject) <= 1000),
  -- JSON: the values of the action; null when the request has ended.
  payload          TEXT,
  -- The account may be removed later.
  asked_account_id TEXT NOT NULL CHECK (length(asked_account_id) = 36),
  -- Email address of the account.
  asked_by         TEXT NOT NULL CHECK (length(asked_by) BETWEEN 1 AND 254),
  asked_at         TEXT NOT NULL CHECK (asked_at > '0001' AND asked_at IS strftime('%Y-%m-%dT%H:%M:%fZ', asked_at)),
  state            TEXT NOT NULL CHECK (state IN ('open', 'approved', 'returned', 'withdrawn', 'expired')),
  decided_by       TEXT CHECK (length(decided_by) BETWEEN 1 AND 254),
  decided_at       TEXT CHECK (decided_at > '0001' AND decided_at IS strftime('%Y-%m-%dT%H:%M:%fZ', decided_at)),
  -- Why it was returned.
  comment          TEXT CHECK (length(comment) BETWEEN 1 AND 1000 AND instr(comment, char(0)) = 0),
  PRIMARY KEY (organization_id, id),
  CHECK ((state = 'open') = (decided_at IS NULL)),
  CHECK (state = 'open' OR payload IS NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX approval_request_open ON approval_request (organization_id, kind, subject) WHERE state = 'open';
CREATE INDEX approval_request_by_end ON approval_request (decided_at) WHERE decided_at IS NOT NULL;
