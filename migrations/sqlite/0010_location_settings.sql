-- Compatible with 0001.

-- Decimals of published locations. Null: none is published.
ALTER TABLE organization ADD COLUMN location_decimals TEXT CHECK (location_decimals IN ('3', '4'));
-- Topics whose submissions are published without a location, one on each line.
ALTER TABLE organization ADD COLUMN topics_without_location TEXT
  CHECK (length(topics_without_location) BETWEEN 1 AND 2000 AND instr(topics_without_location, char(0)) = 0);

-- Whether locations of this source may be published. Null: not. It stays when the definition is removed.
ALTER TABLE import_source ADD COLUMN locations TEXT CHECK (locations IN ('on'));
