-- Compatible with 0001.
--
-- Published data of all municipalities, API keys and accounts.
--
-- Each published table has a stored generated column `document` with the JSON that the API sends, so every committed row
-- is published, whichever program wrote it. Programs must set the pragmas foreign_keys and recursive_triggers, as Rostra
-- does. The checks are those of src/contract/. `GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'`
-- matches control characters.
--
-- The counters of requests are in a file beside this one, with tables of src/store/sqlite/open-database-files.ts.

CREATE TABLE organization (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  name       TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 200 AND instr(name, char(0)) = 0
    AND name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  created_at TEXT NOT NULL CHECK (created_at > '0001' AND created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  -- IANA name. Imports read times without an offset in this time zone.
  time_zone     TEXT NOT NULL DEFAULT 'Europe/Berlin'
    CHECK (length(time_zone) BETWEEN 1 AND 100 AND time_zone NOT GLOB '*[^A-Za-z0-9_+/-]*'),
  -- ISO 639-1 and ISO 3166-1. Null: the default of the installation.
  language      TEXT CHECK (language GLOB '[a-z][a-z]'),
  country       TEXT CHECK (country GLOB '[A-Z][A-Z]'),
  -- Words, names and patterns that imports replace, one on each line.
  redaction_terms TEXT CHECK (length(redaction_terms) BETWEEN 1 AND 20000 AND instr(redaction_terms, char(0)) = 0),
  -- The present slug; `organization_slug` also has the earlier ones.
  slug          TEXT CHECK (length(slug) BETWEEN 2 AND 60 AND slug NOT GLOB '*[^a-z0-9-]*' AND slug NOT GLOB '-*'
    AND slug NOT GLOB '*-' AND slug NOT GLOB '*--*'),
  open_data     TEXT NOT NULL DEFAULT 'off' CHECK (open_data IN ('on', 'off')),
  -- Whether search engines may list pages of single records.
  open_data_index TEXT NOT NULL DEFAULT 'off' CHECK (open_data_index IN ('on', 'off')),
  license_name  TEXT CHECK (length(license_name) BETWEEN 1 AND 200 AND instr(license_name, char(0)) = 0
    AND license_name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  license_url   TEXT CHECK (
    length(license_url) <= 2048 AND instr(license_url, char(0)) = 0
    AND license_url NOT GLOB '*[' || char(1, 45, 32, 127, 45, 159) || ']*'
    AND (license_url GLOB 'http://*' OR license_url GLOB 'https://*')
  ),
  contact_name  TEXT CHECK (length(contact_name) BETWEEN 1 AND 200 AND instr(contact_name, char(0)) = 0
    AND contact_name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  contact_email TEXT CHECK (length(contact_email) <= 254 AND contact_email GLOB '?*@?*' AND contact_email NOT GLOB '*@*@*'
    AND instr(contact_email, char(0)) = 0 AND contact_email NOT GLOB '*[' || char(1, 45, 32, 127, 45, 159) || ']*'),
  contact_url   TEXT CHECK (
    length(contact_url) <= 2048 AND instr(contact_url, char(0)) = 0
    AND contact_url NOT GLOB '*[' || char(1, 45, 32, 127, 45, 159) || ']*'
    AND (contact_url GLOB 'http://*' OR contact_url GLOB 'https://*')
  ),
  attribution   TEXT CHECK (length(attribution) BETWEEN 1 AND 1000 AND instr(attribution, char(0)) = 0
    AND attribution NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  -- `organization_logo` has the content. The digest is the beginning of its SHA-256.
  logo_digest     TEXT CHECK (length(logo_digest) = 32 AND logo_digest NOT GLOB '*[^0-9a-f]*'),
  logo_media_type TEXT CHECK (logo_media_type IN ('image/png', 'image/jpeg', 'image/webp')),
  logo_width      INTEGER CHECK (logo_width BETWEEN 1 AND 2000),
  logo_height     INTEGER CHECK (logo_height BETWEEN 1 AND 2000),
  document      TEXT NOT NULL GENERATED ALWAYS AS (
    json_object(
      'id', id,
      'name', name,
      'timeZone', time_zone,
      'license', json(CASE WHEN coalesce(license_name, license_url) IS NOT NULL THEN
        json_object('name', license_name, 'url', license_url) END),
      'contact', json(CASE WHEN coalesce(contact_name, contact_email, contact_url) IS NOT NULL THEN
        json_object('name', contact_name, 'email', contact_email, 'url', contact_url) END),
      'attribution', attribution,
      'logo', json(CASE WHEN logo_digest IS NOT NULL THEN
        json_object(
          'url', '/logos/' || logo_digest || '.' || substr(logo_media_type, 7),
          'mediaType', logo_media_type,
          'width', logo_width,
          'height', logo_height
        ) END)
    )
  ) STORED,
  CHECK ((logo_digest IS NULL) = (logo_media_type IS NULL) AND (logo_digest IS NULL) = (logo_width IS NULL)
    AND (logo_digest IS NULL) = (logo_height IS NULL)),
  CHECK (open_data = 'off' OR (slug IS NOT NULL AND coalesce(license_name, license_url) IS NOT NULL))
) STRICT;

-- For the catalogue of the installation.
CREATE INDEX organization_open_data ON organization (slug) WHERE open_data = 'on';

-- The numbering of changes, and the parent of all published data.
CREATE TABLE change_history (
  organization_id TEXT NOT NULL PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
  -- Identifies the numbering. A restored backup has another one. UUID of version 4.
  history_id      TEXT NOT NULL DEFAULT (lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4'
    || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  -- Number of the latest change.
  change_sequence INTEGER NOT NULL DEFAULT 0,
  -- Number of the latest removal that is no longer listed in `change`.
  pruned_sequence INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TRIGGER begin_change_history AFTER INSERT ON organization BEGIN
  INSERT INTO change_history (organization_id) VALUES (new.id);
END;

-- Every slug that a municipality has or had. A slug outlasts its municipality, and is never given to another one, so that an
-- address never leads to the data of somebody else.
CREATE TABLE organization_slug (
  slug            TEXT NOT NULL PRIMARY KEY,
  organization_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Fails if the slug is another municipality's.
CREATE TRIGGER keep_first_slug AFTER INSERT ON organization WHEN new.slug IS NOT NULL BEGIN
  INSERT INTO organization_slug (slug, organization_id) SELECT new.slug, new.id
  WHERE NOT EXISTS (SELECT 1 FROM organization_slug WHERE slug = new.slug AND organization_id = new.id);
END;

CREATE TRIGGER keep_slug AFTER UPDATE OF slug ON organization WHEN new.slug IS NOT NULL BEGIN
  INSERT INTO organization_slug (slug, organization_id) SELECT new.slug, new.id
  WHERE NOT EXISTS (SELECT 1 FROM organization_slug WHERE slug = new.slug AND organization_id = new.id);
END;

-- Contents of the logos, apart from `organization` so that its rows stay small.
CREATE TABLE organization_logo (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  digest          TEXT NOT NULL CHECK (length(digest) = 32 AND digest NOT GLOB '*[^0-9a-f]*'),
  content         BLOB NOT NULL CHECK (length(content) BETWEEN 1 AND 262144),
  PRIMARY KEY (organization_id, digest)
) STRICT;

CREATE INDEX organization_logo_by_digest ON organization_logo (digest);

CREATE TABLE submission (
  organization_id     TEXT NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  id                  TEXT NOT NULL CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  created_at          TEXT NOT NULL CHECK (created_at > '0001' AND created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  reference_number    TEXT CHECK (length(reference_number) BETWEEN 1 AND 200 AND instr(reference_number, char(0)) = 0
    AND reference_number NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  status              TEXT NOT NULL CHECK (length(status) BETWEEN 1 AND 200 AND instr(status, char(0)) = 0
    AND status NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  status_changed_at   TEXT NOT NULL CHECK (length(status_changed_at) BETWEEN 1 AND 200 AND instr(status_changed_at, char(0)) = 0
    AND status_changed_at NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  topic_category_name TEXT CHECK (length(topic_category_name) BETWEEN 1 AND 200 AND instr(topic_category_name, char(0)) = 0
    AND topic_category_name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  priority_level      TEXT NOT NULL DEFAULT 'normal' CHECK (length(priority_level) BETWEEN 1 AND 200 AND instr(priority_level, char(0)) = 0
    AND priority_level NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  support_count       INTEGER NOT NULL DEFAULT 0 CHECK (support_count BETWEEN 0 AND 2147483647),
  has_attachments     INTEGER NOT NULL DEFAULT 0 CHECK (has_attachments IN (0, 1)),
  protocol_url        TEXT CHECK (
    length(protocol_url) <= 2048 AND instr(protocol_url, char(0)) = 0
    AND protocol_url NOT GLOB '*[' || char(1, 45, 32, 127, 45, 159) || ']*'
    AND (protocol_url GLOB 'http://*' OR protocol_url GLOB 'https://*')
  ),
  -- Beyond the specification: `document` lacks them, and queries add them to it.
  title               TEXT CHECK (length(title) BETWEEN 1 AND 1000 AND instr(title, char(0)) = 0
    AND title NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  source_url          TEXT CHECK (
    length(source_url) <= 2048 AND instr(source_url, char(0)) = 0
    AND source_url NOT GLOB '*[' || char(1, 45, 32, 127, 45, 159) || ']*'
    AND (source_url GLOB 'http://*' OR source_url GLOB 'https://*')
  ),
  -- The `import_source` that last wrote the row; null without a source.
  source_id           INTEGER,
  -- The tally precedes the long columns, so that reading it does not touch their overflow pages.
  tally               TEXT NOT NULL GENERATED ALWAYS AS (
    json_object(
      'submissionId', id,
      'referenceNumber', reference_number,
      'supportCount', support_count,
      'createdAt', created_at
    )
  ) STORED,
  description         TEXT NOT NULL CHECK (length(description) <= 100000 AND instr(description, char(0)) = 0),
  document            TEXT NOT NULL GENERATED ALWAYS AS (
    json_object(
      'id', id,
      'referenceNumber', reference_number,
      'description', description,
      'status', status,
      'topicCategoryName', topic_category_name,
      'priorityLevel', priority_level,
      'supportCount', support_count,
      'hasAttachments', json(iif(has_attachments, 'true', 'false')),
      'protocolUrl', protocol_url,
      'createdAt', created_at,
      'statusChangedAt', status_changed_at
    )
  ) STORED,
  PRIMARY KEY (organization_id, id)
) STRICT;

-- One index for each combination of filters, so that a page is an index seek without a sort. The indexes are read
-- backwards, so that new rows are appended. The index of the whole list is covering: it includes the documents. Statistics of a
-- source count with the source in two of them.
CREATE INDEX submission_list ON submission (organization_id, created_at, id DESC, document, title);
CREATE INDEX submission_list_by_status ON submission (organization_id, status, created_at, id DESC, source_id);
CREATE INDEX submission_list_by_topic ON submission (organization_id, topic_category_name, created_at, id DESC, source_id);
CREATE INDEX submission_list_by_status_and_topic
  ON submission (organization_id, status, topic_category_name, created_at, id DESC);

-- The submissions of a source, for the admin area.
CREATE INDEX submission_by_source ON submission (organization_id, source_id, created_at, id DESC);

-- Submissions with the most support, for the admin area. Partial, so it costs nothing for imports without support.
CREATE INDEX submission_by_support ON submission (organization_id, support_count DESC, created_at DESC, id, source_id)
  WHERE support_count > 0;

-- The latest decisions, for open data. Partial: `status_changed_at` may be a text instead of a time.
CREATE INDEX submission_decided ON submission (organization_id, status_changed_at, id DESC)
  WHERE status IN ('accepted', 'rejected', 'completed') AND status_changed_at LIKE '____-__-__T__:__:__.___Z'
    AND substr(status_changed_at, 6, 2) BETWEEN '01' AND '12' AND substr(status_changed_at, 9, 2) BETWEEN '01' AND '31'
    AND substr(status_changed_at, 12, 2) BETWEEN '00' AND '23';

CREATE TABLE session (
  organization_id  TEXT NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  id               TEXT NOT NULL CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  date             TEXT NOT NULL CHECK (date > '0001' AND date IS strftime('%Y-%m-%d', date)),
  committee_name   TEXT NOT NULL CHECK (length(committee_name) BETWEEN 1 AND 1000 AND instr(committee_name, char(0)) = 0
    AND committee_name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  time_slot        TEXT CHECK (
    (time_slot GLOB '[0-2][0-9]:[0-5][0-9]' OR time_slot GLOB '[0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9]')
    AND substr(time_slot, 1, 2) <= '23' AND substr(time_slot, 7, 2) <= '23'
  ),
  -- Updated by the triggers below.
  submission_count INTEGER NOT NULL DEFAULT 0 CHECK (submission_count BETWEEN 0 AND 1000),
  created_at       TEXT NOT NULL CHECK (created_at > '0001' AND created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  -- As those of `submission`.
  title            TEXT CHECK (length(title) BETWEEN 1 AND 1000 AND instr(title, char(0)) = 0
    AND title NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  source_url       TEXT CHECK (
    length(source_url) <= 2048 AND instr(source_url, char(0)) = 0
    AND source_url NOT GLOB '*[' || char(1, 45, 32, 127, 45, 159) || ']*'
    AND (source_url GLOB 'http://*' OR source_url GLOB 'https://*')
  ),
  source_id        INTEGER,
  -- The beginning of the name, for the index of PostgreSQL.
  committee_name_start TEXT NOT NULL GENERATED ALWAYS AS (substr(committee_name, 1, 200)) VIRTUAL,
  document         TEXT NOT NULL GENERATED ALWAYS AS (
    json_object(
      'id', id,
      'committeeName', committee_name,
      'date', date,
      'timeSlot', time_slot,
      'submissionCount', submission_count,
      'createdAt', created_at
    )
  ) STORED,
  PRIMARY KEY (organization_id, id)
) STRICT;

CREATE INDEX session_list ON session (organization_id, date, id DESC);
CREATE INDEX session_list_by_committee ON session (organization_id, committee_name_start, date, id DESC);

CREATE TABLE session_submission (
  organization_id TEXT NOT NULL,
  session_id      TEXT NOT NULL,
  position        INTEGER NOT NULL CHECK (position BETWEEN 0 AND 999),
  submission_id   TEXT NOT NULL,
  PRIMARY KEY (organization_id, session_id, position),
  UNIQUE (organization_id, submission_id, session_id),
  FOREIGN KEY (organization_id, session_id) REFERENCES session (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, submission_id) REFERENCES submission (organization_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TRIGGER session_submission_added AFTER INSERT ON session_submission BEGIN
  UPDATE session SET submission_count = submission_count + 1
  WHERE organization_id = new.organization_id AND id = new.session_id;
END;

CREATE TRIGGER session_submission_removed AFTER DELETE ON session_submission BEGIN
  UPDATE session SET submission_count = submission_count - 1
  WHERE organization_id = old.organization_id AND id = old.session_id;
END;

CREATE TRIGGER session_submission_moved AFTER UPDATE OF organization_id, session_id ON session_submission BEGIN
  UPDATE session SET submission_count = submission_count - 1
  WHERE organization_id = old.organization_id AND id = old.session_id;
  UPDATE session SET submission_count = submission_count + 1
  WHERE organization_id = new.organization_id AND id = new.session_id;
END;

CREATE TABLE survey (
  organization_id TEXT NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  id              TEXT NOT NULL CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  title           TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 1000 AND instr(title, char(0)) = 0),
  status          TEXT NOT NULL CHECK (length(status) BETWEEN 1 AND 200 AND instr(status, char(0)) = 0
    AND status NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  total_responses INTEGER NOT NULL CHECK (total_responses BETWEEN 0 AND 2147483647),
  source_id       INTEGER,
  document        TEXT NOT NULL GENERATED ALWAYS AS (
    json_object('surveyId', id, 'title', title, 'status', status, 'totalResponses', total_responses)
  ) STORED,
  summary         TEXT NOT NULL GENERATED ALWAYS AS (
    json_object('id', id, 'title', title, 'status', status, 'totalResponses', total_responses)
  ) STORED,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE survey_question (
  organization_id TEXT NOT NULL,
  survey_id       TEXT NOT NULL,
  position        INTEGER NOT NULL CHECK (position BETWEEN 0 AND 999),
  question_text   TEXT NOT NULL CHECK (length(question_text) BETWEEN 1 AND 100000 AND instr(question_text, char(0)) = 0),
  question_type   TEXT NOT NULL CHECK (length(question_type) BETWEEN 1 AND 200 AND instr(question_type, char(0)) = 0
    AND question_type NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  document        TEXT NOT NULL GENERATED ALWAYS AS (
    json_object('questionText', question_text, 'questionType', question_type)
  ) STORED,
  PRIMARY KEY (organization_id, survey_id, position),
  FOREIGN KEY (organization_id, survey_id) REFERENCES survey (organization_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE survey_option (
  organization_id   TEXT NOT NULL,
  survey_id         TEXT NOT NULL,
  question_position INTEGER NOT NULL,
  position          INTEGER NOT NULL CHECK (position BETWEEN 0 AND 999),
  option_text       TEXT NOT NULL CHECK (length(option_text) BETWEEN 1 AND 1000 AND instr(option_text, char(0)) = 0),
  response_count    INTEGER NOT NULL CHECK (response_count BETWEEN 0 AND 2147483647),
  document          TEXT NOT NULL GENERATED ALWAYS AS (
    json_object('optionText', option_text, 'responseCount', response_count)
  ) STORED,
  PRIMARY KEY (organization_id, survey_id, question_position, position),
  FOREIGN KEY (organization_id, survey_id, question_position)
    REFERENCES survey_question (organization_id, survey_id, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The latest change of each object that is or was published; removed objects have no other row. Written by the triggers
-- below, so that writes of every program are logged.
CREATE TABLE change (
  organization_id TEXT NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  kind            TEXT NOT NULL,
  id              TEXT NOT NULL,
  sequence        INTEGER NOT NULL,
  -- Time of the change; only of sessions, for calendars.
  changed_at      TEXT CHECK (changed_at IS NULL OR changed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', changed_at)),
  PRIMARY KEY (organization_id, kind, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX change_list ON change (organization_id, sequence);
CREATE INDEX change_list_by_kind ON change (organization_id, kind, sequence);

-- Numbers of the latest change at some times, so that the age of a removal is known. Written by `rostra prune`.
CREATE TABLE change_checkpoint (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  at              TEXT NOT NULL CHECK (at > '0001' AND at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  sequence        INTEGER NOT NULL,
  PRIMARY KEY (organization_id, at)
) STRICT, WITHOUT ROWID;

-- To log a change, the triggers insert a row into this view. While a municipality is removed, its row is missing already,
-- and nothing is logged.
CREATE VIEW new_change AS SELECT organization_id, kind, id FROM change;

CREATE TRIGGER new_change_logged INSTEAD OF INSERT ON new_change BEGIN
  UPDATE change_history SET change_sequence = change_sequence + 1 WHERE organization_id = new.organization_id;
  INSERT INTO change (organization_id, kind, id, sequence, changed_at)
  SELECT organization_id, new.kind, new.id, change_sequence, iif(new.kind = 'session', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NULL)
  FROM change_history WHERE organization_id = new.organization_id
  ON CONFLICT (organization_id, kind, id) DO UPDATE SET sequence = excluded.sequence, changed_at = excluded.changed_at;
END;

CREATE TRIGGER submission_added AFTER INSERT ON submission BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'submission', new.id);
END;

CREATE TRIGGER submission_changed AFTER UPDATE ON submission
WHEN old.document <> new.document OR (old.title, old.source_url) IS NOT (new.title, new.source_url) BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'submission', new.id);
END;

CREATE TRIGGER submission_moved AFTER UPDATE OF organization_id, id ON submission
WHEN old.organization_id <> new.organization_id OR old.id <> new.id BEGIN
  INSERT INTO new_change VALUES (old.organization_id, 'submission', old.id);
  INSERT INTO new_change VALUES (new.organization_id, 'submission', new.id);
END;

CREATE TRIGGER submission_removed AFTER DELETE ON submission BEGIN
  INSERT INTO new_change VALUES (old.organization_id, 'submission', old.id);
END;

CREATE TRIGGER session_added AFTER INSERT ON session BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'session', new.id);
END;

-- A longer or shorter agenda changes the document too.
CREATE TRIGGER session_changed AFTER UPDATE ON session
WHEN old.document <> new.document OR (old.title, old.source_url) IS NOT (new.title, new.source_url) BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'session', new.id);
END;

CREATE TRIGGER session_moved AFTER UPDATE OF organization_id, id ON session
WHEN old.organization_id <> new.organization_id OR old.id <> new.id BEGIN
  INSERT INTO new_change VALUES (old.organization_id, 'session', old.id);
  INSERT INTO new_change VALUES (new.organization_id, 'session', new.id);
END;

CREATE TRIGGER session_removed AFTER DELETE ON session BEGIN
  INSERT INTO new_change VALUES (old.organization_id, 'session', old.id);
END;

CREATE TRIGGER session_submission_changed AFTER UPDATE ON session_submission
WHEN old.position <> new.position OR old.submission_id <> new.submission_id BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'session', new.session_id);
END;

-- Drafts are not published, so their changes are not logged.
CREATE TRIGGER survey_added AFTER INSERT ON survey WHEN new.status <> 'draft' BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'survey', new.id);
END;

CREATE TRIGGER survey_changed AFTER UPDATE ON survey
WHEN old.document <> new.document AND (old.status <> 'draft' OR new.status <> 'draft') BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'survey', new.id);
END;

CREATE TRIGGER survey_moved AFTER UPDATE OF organization_id, id ON survey
WHEN old.organization_id <> new.organization_id OR old.id <> new.id BEGIN
  INSERT INTO new_change VALUES (old.organization_id, 'survey', old.id);
  INSERT INTO new_change VALUES (new.organization_id, 'survey', new.id);
END;

CREATE TRIGGER survey_removed AFTER DELETE ON survey WHEN old.status <> 'draft' BEGIN
  INSERT INTO new_change VALUES (old.organization_id, 'survey', old.id);
END;

CREATE VIEW new_survey_change AS SELECT organization_id, id AS survey_id FROM survey;

CREATE TRIGGER new_survey_change_logged INSTEAD OF INSERT ON new_survey_change BEGIN
  INSERT INTO new_change SELECT organization_id, 'survey', id FROM survey
  WHERE organization_id = new.organization_id AND id = new.survey_id AND status <> 'draft';
END;

CREATE TRIGGER survey_question_added AFTER INSERT ON survey_question BEGIN
  INSERT INTO new_survey_change VALUES (new.organization_id, new.survey_id);
END;

CREATE TRIGGER survey_question_changed AFTER UPDATE ON survey_question
WHEN old.document <> new.document OR (old.organization_id, old.survey_id, old.position)
  <> (new.organization_id, new.survey_id, new.position) BEGIN
  INSERT INTO new_survey_change VALUES (old.organization_id, old.survey_id);
  INSERT INTO new_survey_change VALUES (new.organization_id, new.survey_id);
END;

CREATE TRIGGER survey_question_removed AFTER DELETE ON survey_question BEGIN
  INSERT INTO new_survey_change VALUES (old.organization_id, old.survey_id);
END;

CREATE TRIGGER survey_option_added AFTER INSERT ON survey_option BEGIN
  INSERT INTO new_survey_change VALUES (new.organization_id, new.survey_id);
END;

CREATE TRIGGER survey_option_changed AFTER UPDATE ON survey_option
WHEN old.document <> new.document OR (old.organization_id, old.survey_id, old.question_position, old.position)
  <> (new.organization_id, new.survey_id, new.question_position, new.position) BEGIN
  INSERT INTO new_survey_change VALUES (old.organization_id, old.survey_id);
  INSERT INTO new_survey_change VALUES (new.organization_id, new.survey_id);
END;

CREATE TRIGGER survey_option_removed AFTER DELETE ON survey_option BEGIN
  INSERT INTO new_survey_change VALUES (old.organization_id, old.survey_id);
END;

-- `secret_hash` is SHA-256 of the key; the key itself is not stored. The hash is unique across municipalities, because a
-- request determines its municipality by the hash.
CREATE TABLE api_key (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  id              TEXT NOT NULL CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  secret_hash     BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  prefix          TEXT NOT NULL CHECK (prefix GLOB 'sk_*' AND prefix NOT GLOB '*[^0-9A-Za-z_]*' AND length(prefix) = 16),
  name            TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200 AND instr(name, char(0)) = 0
    AND name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  request_limit   INTEGER CHECK (request_limit BETWEEN 1 AND 2147483647),
  created_at      TEXT NOT NULL CHECK (created_at > '0001' AND created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  expires_at      TEXT CHECK (expires_at IS NULL OR expires_at IS strftime('%Y-%m-%dT%H:%M:%fZ', expires_at)),
  revoked_at      TEXT CHECK (revoked_at IS NULL OR revoked_at IS strftime('%Y-%m-%dT%H:%M:%fZ', revoked_at)),
  -- E-mail address of an account, or the name of the command line.
  created_by      TEXT NOT NULL CHECK (length(created_by) BETWEEN 1 AND 254),
  contact         TEXT CHECK (length(contact) BETWEEN 1 AND 200 AND instr(contact, char(0)) = 0
    AND contact NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  purpose         TEXT CHECK (length(purpose) BETWEEN 1 AND 500 AND instr(purpose, char(0)) = 0
    AND purpose NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*'),
  -- The key that this key replaced. No foreign key, because a copy writes keys in the order of their ids.
  predecessor_id  TEXT CHECK (predecessor_id <> id),
  PRIMARY KEY (organization_id, id),
  -- A key has at most one successor.
  UNIQUE (organization_id, predecessor_id)
) STRICT;

CREATE INDEX api_key_by_prefix ON api_key (prefix);
-- For the list of the keys of all municipalities.
CREATE INDEX api_key_by_creation ON api_key (created_at DESC, id);
-- For e-mails about keys that expire soon.
CREATE INDEX api_key_by_expiry ON api_key (expires_at, organization_id, id)
  WHERE revoked_at IS NULL AND expires_at IS NOT NULL;

-- Secrets that sign cursors. The newest signs; the one before it is still accepted.
CREATE TABLE cursor_secret (
  generation INTEGER NOT NULL PRIMARY KEY,
  secret     BLOB NOT NULL CHECK (length(secret) = 32),
  created_at TEXT NOT NULL CHECK (created_at > '0001' AND created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at))
) STRICT;

-- The last run of each kind of maintenance, such as a backup, for monitoring.
CREATE TABLE maintenance_run (
  kind            TEXT NOT NULL PRIMARY KEY CHECK (length(kind) BETWEEN 1 AND 100),
  started_at      TEXT NOT NULL CHECK (started_at > '0001' AND started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)),
  finished_at     TEXT NOT NULL CHECK (finished_at > '0001' AND finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at)),
  outcome         TEXT NOT NULL CHECK (outcome IN ('succeeded', 'failed')),
  -- JSON object.
  detail          TEXT NOT NULL CHECK (length(detail) <= 10000),
  -- End of the last run that succeeded; null: none.
  last_success_at TEXT CHECK (last_success_at IS NULL OR last_success_at IS strftime('%Y-%m-%dT%H:%M:%fZ', last_success_at))
) STRICT;

-- Accounts of the admin area. Operators may act for every municipality, the others only where they have a role.
CREATE TABLE account (
  id              TEXT NOT NULL PRIMARY KEY CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  email           TEXT NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 254 AND email GLOB '?*@?*' AND instr(email, char(0)) = 0
    AND email NOT GLOB '*[' || char(1, 45, 32, 127, 45, 159) || ']*'),
  is_operator     INTEGER NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1)),
  -- Language of e-mails, such as "de"; null if unknown.
  language        TEXT CHECK (length(language) BETWEEN 2 AND 35),
  -- Argon2id in PHC string format; null: no password, so only single sign-on is possible.
  password_hash   TEXT CHECK (password_hash GLOB '$argon2id$*'),
  totp_secret     BLOB CHECK (length(totp_secret) >= 16),
  -- The last time step whose code was accepted (RFC 6238). Each code is valid once.
  totp_step       INTEGER NOT NULL DEFAULT 0,
  -- SHA-256 of the account's id and each unused recovery code, one after the other.
  recovery_codes  BLOB NOT NULL DEFAULT x'' CHECK (length(recovery_codes) % 32 = 0),
  -- Identity at the OpenID Connect provider, set by the first sign-in there.
  oidc_issuer     TEXT,
  oidc_subject    TEXT,
  created_at      TEXT NOT NULL CHECK (created_at > '0001' AND created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  created_by      TEXT NOT NULL CHECK (length(created_by) BETWEEN 1 AND 254)
) STRICT;

CREATE INDEX account_operator ON account (email) WHERE is_operator = 1;

-- Roles of accounts in municipalities. An account without a role, which is not an operator's, cannot be used.
CREATE TABLE account_role (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  account_id      TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  role            TEXT NOT NULL CHECK (role IN ('reader', 'administrator')),
  PRIMARY KEY (organization_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX account_role_by_account ON account_role (account_id);

-- One-time links to set a password, one per account and kind. `token_hash` is SHA-256 of the secret in the link.
CREATE TABLE invitation (
  account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  -- 1 for a forgotten password. Anybody can ask for such a link, so it does not replace one that an administrator created.
  keeps_second_factor INTEGER NOT NULL CHECK (keeps_second_factor IN (0, 1)),
  token_hash          BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  expires_at_ms       INTEGER NOT NULL,
  PRIMARY KEY (account_id, keeps_second_factor)
) STRICT, WITHOUT ROWID;

-- Browsers that have signed in with an account. `token_hash` is SHA-256 of the secret in the cookie.
CREATE TABLE login_session (
  token_hash            BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  id                    TEXT NOT NULL UNIQUE CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  account_id      TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  -- 1 until the second factor is entered.
  pending_second_factor INTEGER NOT NULL CHECK (pending_second_factor IN (0, 1)),
  created_at_ms         INTEGER NOT NULL,
  last_seen_at_ms       INTEGER NOT NULL,
  -- Last time the password was entered here or at the OpenID Connect provider.
  reauthenticated_at_ms INTEGER NOT NULL,
  address               TEXT NOT NULL CHECK (length(address) <= 254),
  browser               TEXT NOT NULL CHECK (length(browser) <= 254)
) STRICT, WITHOUT ROWID;

CREATE INDEX login_session_by_account ON login_session (account_id, created_at_ms);

-- E-mails to accounts, without their texts: these are composed from the current data when they are sent. One row for each
-- event and recipient, so that concurrent processes send a message once.
CREATE TABLE mail_message (
  -- Empty if the event concerns the whole installation.
  organization_id TEXT NOT NULL,
  account_id      TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  kind            TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
  -- Id of the key; empty for imports and maintenance.
  subject_id      TEXT NOT NULL CHECK (length(subject_id) <= 36),
  -- Distinguishes events of the same subject, such as the day of an expiry.
  event           TEXT NOT NULL CHECK (length(event) BETWEEN 1 AND 100),
  state           TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'void')),
  created_at_ms   INTEGER NOT NULL,
  -- Time of the next attempt. While a process sends the message: end of its lease.
  due_at_ms       INTEGER NOT NULL,
  lease_token     TEXT,
  attempts        INTEGER NOT NULL DEFAULT 0,
  ended_at_ms     INTEGER,
  -- Reason why the last attempt failed.
  error           TEXT CHECK (length(error) <= 1000),
  PRIMARY KEY (account_id, organization_id, kind, subject_id, event),
  CHECK ((state = 'queued') = (ended_at_ms IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX mail_message_queue ON mail_message (due_at_ms) WHERE state = 'queued';
CREATE INDEX mail_message_by_creation ON mail_message (created_at_ms);

-- Kinds of e-mails that an account switched off, and the secrets of the links that do so.
CREATE TABLE notification_setting (
  account_id        TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  kind              TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
  enabled           INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  unsubscribe_token TEXT NOT NULL UNIQUE CHECK (length(unsubscribe_token) = 43),
  PRIMARY KEY (account_id, kind)
) STRICT, WITHOUT ROWID;

-- Files to which `rostra prune` wrote entries of the audit log, before it removed them.
CREATE TABLE audit_export (
  -- Name without the folder.
  file        TEXT NOT NULL PRIMARY KEY CHECK (length(file) BETWEEN 1 AND 200),
  -- Times of the first and the last entry.
  first_at    TEXT NOT NULL CHECK (first_at > '0001' AND first_at IS strftime('%Y-%m-%dT%H:%M:%fZ', first_at)),
  last_at     TEXT NOT NULL CHECK (last_at >= first_at AND last_at IS strftime('%Y-%m-%dT%H:%M:%fZ', last_at)),
  entries     INTEGER NOT NULL CHECK (entries > 0),
  -- Of the file, hexadecimal.
  sha256      TEXT NOT NULL CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
  exported_at TEXT NOT NULL CHECK (exported_at > '0001' AND exported_at IS strftime('%Y-%m-%dT%H:%M:%fZ', exported_at))
) STRICT;

-- Audit log. Rows are never changed, not even with the municipality that they concern, and only removed after an export.
CREATE TABLE audit_event (
  organization_id TEXT NOT NULL,
  id              TEXT NOT NULL CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  at              TEXT NOT NULL CHECK (at > '0001' AND at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  actor           TEXT NOT NULL CHECK (length(actor) BETWEEN 1 AND 254),
  address         TEXT NOT NULL CHECK (length(address) <= 254),
  action          TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  -- Name of the subject at that time.
  subject         TEXT NOT NULL CHECK (length(subject) <= 1000),
  -- Kind and id of the subject, such as a key; null if it has no page.
  subject_kind    TEXT CHECK (length(subject_kind) BETWEEN 1 AND 100),
  subject_id      TEXT CHECK (subject_id GLOB '????????-????-????-????-????????????'
    AND subject_id NOT GLOB '*[^0-9a-f-]*' AND length(replace(subject_id, '-', '')) = 32),
  -- JSON array of changed fields with "field", "before" and "after"; null if no field changed.
  changes         TEXT CHECK (length(changes) <= 10000),
  PRIMARY KEY (organization_id, id),
  CHECK ((subject_kind IS NULL) = (subject_id IS NULL))
) STRICT;

-- Every row matches the condition, and only unfiltered lists repeat it. Otherwise the planner of PostgreSQL would prefer
-- these indexes to those of a filter, because they are in the order of the table.
CREATE INDEX audit_event_list ON audit_event (organization_id, at DESC, id) WHERE at > '0001';
CREATE INDEX audit_event_list_of_all ON audit_event (at DESC, id) WHERE at > '0001';
CREATE INDEX audit_event_list_by_actor ON audit_event (organization_id, actor, at DESC, id);
CREATE INDEX audit_event_list_by_action ON audit_event (organization_id, action, at DESC, id);
CREATE INDEX audit_event_by_actor ON audit_event (actor, at DESC, id);
CREATE INDEX audit_event_by_action ON audit_event (action, at DESC, id);
CREATE INDEX audit_event_by_subject ON audit_event (subject_id, at DESC, id) WHERE subject_id IS NOT NULL;

CREATE TRIGGER audit_event_unchanged BEFORE UPDATE ON audit_event BEGIN
  SELECT raise(ABORT, 'The audit log is append-only.');
END;

CREATE TRIGGER audit_event_kept BEFORE DELETE ON audit_event
WHEN NOT EXISTS (SELECT 1 FROM audit_export WHERE old.at BETWEEN first_at AND last_at) BEGIN
  SELECT raise(ABORT, 'The audit log is append-only.');
END;

-- Sources of imports. They show which records a source no longer has. `id` is a hash of format and name.
CREATE TABLE import_source (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  id              INTEGER NOT NULL,
  format          TEXT NOT NULL CHECK (length(format) BETWEEN 1 AND 100),
  -- Empty for the unnamed source of a format.
  name            TEXT NOT NULL CHECK (length(name) <= 4200),
  -- JSON object: licence of the records, as the last definition has it. It stays with them when the definition is removed.
  -- Null: that of the municipality.
  license             TEXT CHECK (length(license) <= 5000),
  -- JSON object: redaction policy of the last import, with checksums of custom patterns.
  -- Null before the first import.
  redaction           TEXT,
  -- Whether a submission of the last complete import had a support count; null if unknown.
  has_support_counts  INTEGER CHECK (has_support_counts IN (0, 1)),
  -- JSON array of `PersonalDataFinding`, of the last complete import; null if unknown.
  personal_data       TEXT CHECK (length(personal_data) <= 200000),
  -- The definition. `options` is null until the source is defined.
  url                 TEXT CHECK (length(url) BETWEEN 1 AND 2048),
  interval_ms         INTEGER CHECK (interval_ms >= 60000),
  -- JSON objects: texts of options by name; kinds, country and patterns.
  options             TEXT CHECK (length(options) <= 1100000),
  requested_redaction TEXT CHECK (length(requested_redaction) <= 100000),
  time_zone           TEXT CHECK (length(time_zone) BETWEEN 1 AND 100),
  max_deleted_percent INTEGER CHECK (max_deleted_percent BETWEEN 0 AND 100),
  -- State of the runs.
  last_success_at     TEXT CHECK (last_success_at IS NULL OR last_success_at IS strftime('%Y-%m-%dT%H:%M:%fZ', last_success_at)),
  last_run_id         TEXT CHECK (last_run_id GLOB '????????-????-????-????-????????????'),
  failing_since       TEXT CHECK (failing_since IS NULL OR failing_since IS strftime('%Y-%m-%dT%H:%M:%fZ', failing_since)),
  failed_at           TEXT CHECK (failed_at IS NULL OR failed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', failed_at)),
  error               TEXT CHECK (length(error) <= 4000),
  failures            INTEGER NOT NULL DEFAULT 0,
  next_at             TEXT CHECK (next_at IS NULL OR next_at IS strftime('%Y-%m-%dT%H:%M:%fZ', next_at)),
  stale_at            TEXT CHECK (stale_at IS NULL OR stale_at IS strftime('%Y-%m-%dT%H:%M:%fZ', stale_at)),
  -- JSON object: `SourceValidators`.
  validators          TEXT NOT NULL DEFAULT '{}',
  -- Key of the data portal, encrypted: see src/domain/portal-key.ts. It is sent to this origin only.
  portal_key          BLOB CHECK (length(portal_key) <= 8192),
  portal_key_origin   TEXT CHECK (length(portal_key_origin) BETWEEN 1 AND 2048),
  PRIMARY KEY (organization_id, id),
  CHECK ((options IS NULL) = (requested_redaction IS NULL)),
  CHECK ((portal_key IS NULL) = (portal_key_origin IS NULL)),
  CHECK (interval_ms IS NULL OR url IS NOT NULL),
  CHECK ((interval_ms IS NULL) = (next_at IS NULL)),
  CHECK ((interval_ms IS NULL) = (stale_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX import_source_name ON import_source (organization_id, name) WHERE options IS NOT NULL;
CREATE INDEX import_source_due ON import_source (next_at, organization_id, name) WHERE next_at IS NOT NULL;
CREATE INDEX import_source_stale ON import_source (stale_at, organization_id, name) WHERE stale_at IS NOT NULL;
CREATE INDEX import_source_failing ON import_source (failing_since, organization_id, name) WHERE failing_since IS NOT NULL;

-- Mirror of an OParl endpoint: the imported properties of each object as JSON. An incremental run fetches only changed objects,
-- and the import needs all.
CREATE TABLE endpoint_object (
  organization_id TEXT NOT NULL,
  source_id       INTEGER NOT NULL,
  id              TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 2048),
  object          TEXT NOT NULL,
  PRIMARY KEY (organization_id, source_id, id),
  FOREIGN KEY (organization_id, source_id) REFERENCES import_source (organization_id, id) ON DELETE CASCADE
) STRICT;

-- Runs of sources, without dry runs. A run with a token holds the lease of its municipality, and updates `heartbeat_at`
-- periodically. Without a heartbeat for a minute, the lease is free. The history lists runs with an outcome: before it, the run
-- fetches its input.
CREATE TABLE import_run (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  id              TEXT NOT NULL CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  started_at      TEXT NOT NULL CHECK (started_at > '0001' AND started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)),
  heartbeat_at    TEXT NOT NULL CHECK (heartbeat_at > '0001' AND heartbeat_at IS strftime('%Y-%m-%dT%H:%M:%fZ', heartbeat_at)),
  ended_at        TEXT CHECK (ended_at IS NULL OR ended_at IS strftime('%Y-%m-%dT%H:%M:%fZ', ended_at)),
  actor           TEXT NOT NULL CHECK (length(actor) BETWEEN 1 AND 254),
  address         TEXT NOT NULL CHECK (length(address) <= 254),
  -- Null until it is chosen.
  format          TEXT CHECK (length(format) BETWEEN 1 AND 100),
  -- The `import_source`.
  source_id       INTEGER,
  -- Names of files as the user wrote them, or a URL.
  sources         TEXT NOT NULL CHECK (length(sources) <= 1000),
  outcome         TEXT CHECK (outcome IN ('running', 'done', 'failed', 'interrupted')),
  lease_token     TEXT,
  undone_at       TEXT CHECK (undone_at IS NULL OR undone_at IS strftime('%Y-%m-%dT%H:%M:%fZ', undone_at)),
  failure         TEXT CHECK (length(failure) <= 4000),
  -- JSON array of reasons: what the import noticed.
  notes           TEXT NOT NULL DEFAULT '[]' CHECK (length(notes) <= 100000),
  read            INTEGER NOT NULL DEFAULT 0,
  inserted        INTEGER NOT NULL DEFAULT 0,
  changed         INTEGER NOT NULL DEFAULT 0,
  unchanged       INTEGER NOT NULL DEFAULT 0,
  removed         INTEGER NOT NULL DEFAULT 0,
  ignored         INTEGER NOT NULL DEFAULT 0,
  rejected        INTEGER NOT NULL DEFAULT 0,
  -- Of an undone import. Numbers of records: removed and restored by the undo; surveys, which stayed.
  undo_removed    INTEGER,
  undo_restored   INTEGER,
  undo_surveys    INTEGER,
  -- Of runs that were started in the admin area, and of undos there. The step, its state, and why it failed.
  step            TEXT NOT NULL DEFAULT 'import' CHECK (step IN ('detection', 'dry_run', 'import', 'undo')),
  state           TEXT CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  step_failure    TEXT CHECK (length(step_failure) <= 4000),
  -- The stored source that the run imports or undoes; null for a new source.
  source_name     TEXT CHECK (length(source_name) BETWEEN 1 AND 100),
  -- The file is on disk, named by the id.
  input_kind      TEXT CHECK (input_kind IN ('upload', 'address', 'endpoint')),
  -- Name of the uploaded file, or the URL.
  input_name      TEXT CHECK (length(input_name) BETWEEN 1 AND 2048),
  input_bytes     INTEGER,
  -- The file is deleted at this time; null: there is no file.
  file_expires_at_ms INTEGER,
  -- JSON objects, see src/domain/run-queue.ts.
  definition      TEXT,
  detection       TEXT,
  dry_run         TEXT,
  progress        TEXT,
  created_at      TEXT CHECK (created_at IS NULL OR created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  created_by      TEXT CHECK (length(created_by) BETWEEN 1 AND 254),
  -- Who queued the step, and from where.
  queued_by       TEXT CHECK (length(queued_by) BETWEEN 1 AND 254),
  queued_from     TEXT CHECK (length(queued_from) <= 254),
  queued_at_ms    INTEGER,
  -- Processes that ended without a result of the step.
  crashes         INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  CHECK ((outcome IS NULL OR outcome = 'running') = (ended_at IS NULL))
) STRICT;

-- A municipality has at most one lease, and one process that reads a file before its import.
CREATE UNIQUE INDEX import_run_lease ON import_run (organization_id)
  WHERE lease_token IS NOT NULL AND step IN ('import', 'undo');
CREATE UNIQUE INDEX import_run_reading ON import_run (organization_id)
  WHERE lease_token IS NOT NULL AND step IN ('detection', 'dry_run');
CREATE INDEX import_run_queue ON import_run (queued_at_ms) WHERE state = 'queued';
CREATE INDEX import_run_active ON import_run (heartbeat_at) WHERE state = 'running';
CREATE INDEX import_run_of_browser ON import_run (organization_id, created_at DESC, id) WHERE state IS NOT NULL;
CREATE INDEX import_run_by_creation ON import_run (created_at) WHERE state IS NOT NULL;
CREATE INDEX import_run_file ON import_run (file_expires_at_ms) WHERE file_expires_at_ms IS NOT NULL;
-- Covering for the latest run of each municipality.
CREATE INDEX import_run_list ON import_run
  (organization_id, started_at DESC, id, outcome, heartbeat_at, ended_at, rejected, undone_at) WHERE outcome IS NOT NULL;
-- For the command line, which lists the imports of all municipalities, and finds an import by its id.
CREATE INDEX import_run_list_of_all ON import_run (started_at DESC, id) WHERE outcome IS NOT NULL;
CREATE INDEX import_run_list_by_outcome ON import_run (outcome, started_at DESC, id);
CREATE INDEX import_run_by_id ON import_run (id);
CREATE INDEX import_run_by_source ON import_run (organization_id, source_id, started_at DESC, id) WHERE source_id IS NOT NULL;
-- For e-mails about imports that failed or stalled.
CREATE INDEX import_run_failed ON import_run (heartbeat_at, organization_id, id) WHERE outcome IN ('failed', 'running');

-- The first rejected records of each import: location and reason, never the content.
CREATE TABLE import_rejection (
  organization_id TEXT NOT NULL,
  run_id          TEXT NOT NULL,
  position        INTEGER NOT NULL CHECK (position BETWEEN 0 AND 99),
  source          TEXT NOT NULL CHECK (length(source) <= 1000),
  line            INTEGER,
  entry           INTEGER,
  -- The id in the source.
  record_id       TEXT CHECK (length(record_id) <= 200),
  reason          TEXT NOT NULL CHECK (length(reason) <= 4000),
  PRIMARY KEY (organization_id, run_id, position),
  FOREIGN KEY (organization_id, run_id) REFERENCES import_run (organization_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The last import of each source that changed something, so that it can be undone. Kept for 30 days.
CREATE TABLE import_undo (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  -- The `import_source`.
  source_id       INTEGER NOT NULL,
  run_id          TEXT NOT NULL,
  -- Time of the first change.
  created_at      TEXT NOT NULL CHECK (created_at > '0001' AND created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  -- `discarded`: the removal of a record deleted its rows below.
  state           TEXT NOT NULL CHECK (state IN ('available', 'undone', 'discarded')),
  -- JSON objects: the redaction policy of the source before the import, null for a new source; and that of the import.
  redaction_before TEXT,
  redaction        TEXT NOT NULL,
  PRIMARY KEY (organization_id, source_id),
  FOREIGN KEY (organization_id, run_id) REFERENCES import_run (organization_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX import_undo_by_run ON import_undo (organization_id, run_id);
CREATE INDEX import_undo_by_creation ON import_undo (created_at);

-- What the import changed, in order.
CREATE TABLE import_undo_batch (
  organization_id TEXT NOT NULL,
  source_id       INTEGER NOT NULL,
  position        INTEGER NOT NULL,
  -- The numbers of its changes are above the first and up to the last.
  first_sequence  INTEGER NOT NULL,
  last_sequence   INTEGER NOT NULL,
  -- Numbers of records: inserted; changed or removed; surveys, which cannot be undone.
  inserted        INTEGER NOT NULL,
  replaced        INTEGER NOT NULL,
  surveys         INTEGER NOT NULL,
  -- Ids of the inserted records, 16 bytes each.
  inserted_ids    BLOB NOT NULL,
  -- Compressed JSON array: the earlier rows of the others, see `UndoStep`.
  steps           BLOB NOT NULL,
  PRIMARY KEY (organization_id, source_id, position),
  FOREIGN KEY (organization_id, source_id) REFERENCES import_undo (organization_id, source_id) ON DELETE CASCADE
) STRICT;

-- Decisions of administrators on single records. They outlast imports and undos.
CREATE TABLE record_decision (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  kind            TEXT NOT NULL CHECK (kind IN ('submission', 'session', 'survey')),
  id              TEXT NOT NULL CHECK (id GLOB '????????-????-????-????-????????????'
    AND id NOT GLOB '*[^0-9a-f-]*' AND length(replace(id, '-', '')) = 32),
  decision        TEXT NOT NULL CHECK (decision IN ('corrected', 'unpublished', 'removed')),
  -- JSON object: the row of the record as its sources last delivered it, of a survey as it was published; null if they no longer
  -- have it, or nothing may be kept.
  record          TEXT,
  -- JSON object, see `Correction`. It applies again when an unpublished record is published; null without one.
  correction      TEXT,
  -- JSON array of `OwnChange`.
  own_changes     TEXT NOT NULL,
  reason          TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 500 AND instr(reason, char(0)) = 0),
  actor           TEXT NOT NULL CHECK (length(actor) BETWEEN 1 AND 254),
  decided_at      TEXT NOT NULL CHECK (decided_at > '0001' AND decided_at IS strftime('%Y-%m-%dT%H:%M:%fZ', decided_at)),
  PRIMARY KEY (organization_id, kind, id)
) STRICT, WITHOUT ROWID;
-- For the files of open data: each server looks for new removals every few seconds.
CREATE INDEX record_decision_removed ON record_decision (decided_at, organization_id) WHERE decision = 'removed';

-- Entries of agendas whose session or submission is unpublished.
CREATE TABLE withheld_agenda_entry (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  session_id      TEXT NOT NULL,
  position        INTEGER NOT NULL CHECK (position BETWEEN 0 AND 999),
  submission_id   TEXT NOT NULL,
  PRIMARY KEY (organization_id, session_id, position),
  UNIQUE (organization_id, submission_id, session_id)
) STRICT, WITHOUT ROWID;
