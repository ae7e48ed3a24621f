-- Compatible with 0001.

-- Decimals of published locations. Null: none is published.
ALTER TABLE organization ADD COLUMN location_decimals text COLLATE "C" CHECK (location_decimals IN ('3', '4'));
-- Topics whose submissions are published without a location, one on each line.
ALTER TABLE organization ADD COLUMN topics_without_location text COLLATE "C"
  CHECK (length(topics_without_location) BETWEEN 1 AND 2000);

-- Whether locations of this source may be published. Null: not. It stays when the definition is removed.
ALTER TABLE import_source ADD COLUMN locations text COLLATE "C" CHECK (locations IN ('on'));

-- `GET /organization` returns the decimals.
DROP TRIGGER touch_data_version ON organization;
CREATE TRIGGER touch_data_version AFTER UPDATE OF
    name, time_zone, license_name, license_url, contact_name, contact_email, contact_url, attribution,
    logo_digest, logo_media_type, logo_width, logo_height, location_decimals ON organization
  FOR EACH STATEMENT EXECUTE FUNCTION touch_data_version();
