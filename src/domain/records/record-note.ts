/** Notes of colleagues on a record, which are never published: entities and store interface. Errors: see store.ts. */
import type { Actor } from '../accounts/actor.ts';
import type { RecordReference } from './record-decision.ts';

/** Characters. */
export const maxNoteLength = 2_000;

export const maxNotesPerRecord = 50;

export interface RecordNote {
  id: string;
  /** 1 to `maxNoteLength` characters in one line or several. */
  text: string;
  /** `Actor.name` of the author. */
  actor: string;
  createdAt: string;
}

/** @returns the stored form, in NFC with `\n` between lines; undefined if it is empty, too long, or has control characters */
export function parseNote(entered: string): string | undefined {
  const text = entered.replaceAll('\r\n', '\n').trim().normalize('NFC');
  const isValid = [...text].length <= maxNoteLength && text.isWellFormed() && !/[^\P{Cc}\t\n]/u.test(text);
  return isValid && text !== '' ? text : undefined;
}

export interface RecordNoteStore {
  /** Oldest first. */
  listRecordNotes(record: RecordReference): Promise<RecordNote[]>;
  /**
   * Adds a note to a record that is published or unpublished. A note whose id the record has already is not added again.
   *
   * @returns `full`: the record has `maxNotesPerRecord`; `missing`: the record does not exist, or was removed for good
   */
  addRecordNote(
    record: RecordReference,
    note: Pick<RecordNote, 'id' | 'text'>,
    by: Actor,
  ): Promise<'added' | 'full' | 'missing'>;
  /** @returns false if the record has no such note */
  deleteRecordNote(record: RecordReference, noteId: string, by: Actor): Promise<boolean>;
}
