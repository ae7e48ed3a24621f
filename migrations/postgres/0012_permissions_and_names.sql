-- Compatible with 0001.

-- Permissions of a reader besides seeing pages, such as 'import publish'. Null: all for administrators, nothing for readers. Version 1.0
-- reads the role only, so it never grants more.
ALTER TABLE account_role ADD COLUMN permissions text COLLATE "C"
  CHECK (length(permissions) BETWEEN 1 AND 200 AND permissions !~ '[^a-z ]');

-- Version 1.0 changes the role only. Permissions that it does not know must not come back with a later role.
CREATE FUNCTION clear_permissions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.permissions := NULL;
  RETURN new;
END
$$;

CREATE TRIGGER clear_permissions BEFORE UPDATE OF role ON account_role
  FOR EACH ROW WHEN (new.permissions IS NOT DISTINCT FROM old.permissions AND new.permissions IS NOT NULL)
  EXECUTE FUNCTION clear_permissions();

-- The name of the person, for colleagues.
ALTER TABLE account ADD COLUMN name text COLLATE "C"
  CHECK (length(name) BETWEEN 1 AND 100 AND name !~ '[\u0001-\u001f\u007f-\u009f]');
