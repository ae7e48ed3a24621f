/** Chooses the sheet of a workbook to read. */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InputError } from '../../input-error.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** Several sheets have data, or the named one does not exist. */
export class SheetChoiceError extends InputError {
  /** Names of the sheets to choose from. */
  readonly sheets: readonly string[];

  constructor(reason: Extract<Reason, { code: 'sheet-unknown' | 'sheet-ambiguous' }>) {
    super(reason);
    this.sheets = reason.names;
  }
}

/**
 * @param wanted name of a sheet, which may be hidden; undefined: the only visible one with data
 * @throws SheetChoiceError; InputError if all sheets are empty
 */
export async function chooseSheet(
  name: string,
  { sheets }: Workbook,
  wanted: string | undefined,
): Promise<Sheet> {
  if (wanted !== undefined) {
    const found = sheets.find((sheet) => sheet.name.trim() === wanted.trim());
    if (found !== undefined) return found;
    const names = sheets.map((sheet) => sheet.name);
    throw new SheetChoiceError({ code: 'sheet-unknown', file: name, sheet: wanted, names });
  }
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const [only] = visible;
  if (only !== undefined && visible.length === 1) return only;
  const filled: Sheet[] = [];
  for (const sheet of visible) if (await hasData(sheet)) filled.push(sheet);
  const [first, ...others] = filled;
  if (first === undefined) throw new InputError({ code: 'sheets-without-data', file: name });
  if (others.length === 0) return first;
  const names = filled.map((sheet) => sheet.name);
  throw new SheetChoiceError({ code: 'sheet-ambiguous', file: name, names });
}

async function hasData(sheet: Sheet): Promise<boolean> {
  for await (const rows of sheet.readRows()) if (rows.length > 0) return true;
  return false;
}
