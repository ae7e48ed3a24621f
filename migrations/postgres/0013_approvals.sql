-- Compatible with 0001.

-- Whether another person approves what is published in the admin area.
ALTER TABLE organization ADD COLUMN approval text COLLATE "C" NOT NULL DEFAULT 'off' CHECK (approval IN ('on', 'off'));

-- Requests to publish, which another person approves.
CREATE TABLE approval_request (
  organization_id  text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  id               uuid_text NOT NULL,
  -- See `ApprovalKind`.
  kind             text COLLATE "C" NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
  -- Id of the run, name of the source, kind and id of the record; empty for the municipality.
  subject          text COLLATE "C" NOT NULL CHECK (length(subject) <= 1000),
  -- JSON: the values of the action; null when the request has ended.
  payload          text COLLATE "C",
  -- The account may be removed later.
  asked_account_id uuid_text NOT NULL,
  -- Email address of the account.
  asked_by         text COLLATE "C" NOT NULL CHECK (length(asked_by) BETWEEN 1 AND 254),
  asked_at         timestamp_text NOT NULL,
  state            text COLLATE "C" NOT NULL CHECK (state IN ('open', 'approved', 'returned', 'withdrawn', 'expired')),
  decided_by       text COLLATE "C" CHECK (length(decided_by) BETWEEN 1 AND 254),
  decided_at       timestamp_text,
  -- Why it was returned.
  comment          text COLLATE "C" CHECK (length(comment) BETWEEN 1 AND 1000),
  PRIMARY KEY (organization_id, id),
  CHECK ((state = 'open') = (decided_at IS NULL)),
  CHECK (state = 'open' OR payload IS NULL)
);
CREATE UNIQUE INDEX approval_request_open ON approval_request (organization_id, kind, subject) WHERE state = 'open';
CREATE INDEX approval_request_by_end ON approval_request (decided_at) WHERE decided_at IS NOT NULL;

CREATE POLICY tenant ON approval_request USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY without_tenant ON approval_request USING (coalesce(current_setting('rostra.organization_id', true), '') NOT LIKE '_%');
ALTER TABLE approval_request ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
