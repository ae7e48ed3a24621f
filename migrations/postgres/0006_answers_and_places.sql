-- Compatible with 0001.

-- Beyond the specification, as `title` and `source_url` are.
ALTER TABLE submission ADD COLUMN answer text COLLATE "C";
ALTER TABLE submission ADD CONSTRAINT submission_answer_check CHECK (length(answer) BETWEEN 1 AND 100000) NOT VALID;
ALTER TABLE submission ADD COLUMN source_status text COLLATE "C";
ALTER TABLE submission ADD CONSTRAINT submission_source_status_check
  CHECK (length(source_status) BETWEEN 1 AND 1000 AND source_status !~ '[\u0001-\u001f\u007f-\u009f]') NOT VALID;
ALTER TABLE session ADD COLUMN place text COLLATE "C";
ALTER TABLE session ADD CONSTRAINT session_place_check
  CHECK (length(place) BETWEEN 1 AND 1000 AND place !~ '[\u0001-\u001f\u007f-\u009f]') NOT VALID;
