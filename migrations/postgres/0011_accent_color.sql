-- Compatible with 0001.

-- Colour of the public pages, such as #004f9f. Null: that of the design system.
ALTER TABLE organization ADD COLUMN accent_color text COLLATE "C" CHECK (accent_color ~ '^#[0-9a-f]{6}$');
