/** Rostra's own format as CSV: flat records under the published names, UTF-8. */

import { InputError, type SourceLocation } from '../../parsed-record.ts';
import { readTable } from '../../readers/delimited.ts';
import type { ParsedJsonValue } from '../../readers/json-entries.ts';

/** Each row as an object with typed values, as its JSON would have them. @throws InputError */
export async function* readRecordTable(
  name: string,
  bytes: AsyncGenerator<Buffer>,
): AsyncGenerator<ParsedJsonValue> {
  const checkHeader = (columns: readonly string[] = []) => {
    if (!columns.includes('id') && !columns.includes('surveyId')) throw noTable(name);
  };
  for await (const { location, cells, problem } of readTable(name, bytes, { encoding: 'utf-8' }, checkHeader))
    yield cells === undefined ? { location, problem } : rowValue(location, cells);
}

/** What other programs write for a value that is absent. */
const absent = /^(?:NA|N\/A|#N\/A|NULL|null|NaN|None|nil)$/;
/** No such word can be meant here. In the other columns it is a text like any other. */
const wordless = 'id supportCount hasAttachments deleted createdAt date timeSlot protocolUrl'.split(' ');

function rowValue(location: SourceLocation, cells: Record<string, string>): ParsedJsonValue {
  for (const name of wordless) {
    const cell = cells[name];
    if (cell !== undefined && absent.test(cell))
      return { location, problem: `${name} is "${cell}": leave the cell empty where there is no value` };
  }
  return { location, value: typed(cells) };
}

function noTable(name: string): InputError {
  return new InputError(
    `${name} is neither JSON nor CSV of Rostra's format: its first line names no column "id". "rostra import detect" tells which format a file is of.`,
  );
}

/** An empty cell is an absent value. What a column cannot hold is left as it is, for the checks to name. */
function typed(row: Record<string, string>): Record<string, unknown> {
  const kind = row.kind || ('committeeName' in row ? 'session' : 'submission');
  const value: Record<string, unknown> = { kind };
  for (const [name, cell] of Object.entries(row)) {
    if (cell !== '' && name !== 'kind') value[name] = typedCell(name, cell);
  }
  return value;
}

function typedCell(name: string, cell: string): unknown {
  switch (name) {
    case 'supportCount':
    case 'submissionCount':
      return /^\d{1,10}$/.test(cell) ? Number(cell) : cell;
    case 'hasAttachments':
    case 'deleted':
      return cell === 'true' ? true : cell === 'false' ? false : cell;
    default:
      return cell;
  }
}
