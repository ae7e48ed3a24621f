-- Compatible with 0001.

-- Permissions of a reader besides seeing pages, such as 'import publish'. Null: all for administrators, nothing for readers. Version 1.0
-- reads the role only, so it never grants more.
ALTER TABLE account_role ADD COLUMN permissions TEXT
  CHECK (length(permissions) BETWEEN 1 AND 200 AND permissions NOT GLOB '*[^a-z ]*');

-- Version 1.0 changes the role only. Permissions that it does not know must not come back with a later role.
CREATE TRIGGER clear_permissions AFTER UPDATE OF role ON account_role
  WHEN new.permissions IS old.permissions AND new.permissions IS NOT NULL
BEGIN
  UPDATE account_role SET permissions = NULL WHERE organization_id = new.organization_id AND account_id = new.account_id;
END;

-- The name of the person, for colleagues.
ALTER TABLE account ADD COLUMN name TEXT
  CHECK (length(name) BETWEEN 1 AND 100 AND name NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*' AND instr(name, char(0)) = 0);
