/** Notes words in titles that may say that a record is not public, or a test. Such records are published. */
import type { ImportObserver } from './import-observer.ts';

/** Sentences. More would hide other notes. */
const maxNotes = 20;

/** @returns a function that notes each word once */
export function createTitleNoter({ onNote }: ImportObserver): (note: string) => void {
  const noted = new Set<string>();
  return (note) => {
    if (noted.size >= maxNotes || noted.has(note)) return;
    noted.add(note);
    onNote?.({ code: 'title-may-withhold', note });
  };
}
