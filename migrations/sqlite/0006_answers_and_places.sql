-- Compatible with 0001.

-- Beyond the specification, as `title` and `source_url` are.
ALTER TABLE submission ADD COLUMN answer TEXT CHECK (length(answer) BETWEEN 1 AND 100000 AND instr(answer, char(0)) = 0);
ALTER TABLE submission ADD COLUMN source_status TEXT CHECK (length(source_status) BETWEEN 1 AND 1000
  AND instr(source_status, char(0)) = 0 AND source_status NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*');
ALTER TABLE session ADD COLUMN place TEXT CHECK (length(place) BETWEEN 1 AND 1000 AND instr(place, char(0)) = 0
  AND place NOT GLOB '*[' || char(1, 45, 31, 127, 45, 159) || ']*');
