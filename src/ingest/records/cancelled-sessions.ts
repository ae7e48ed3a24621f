/** Finds sessions that only their title cancels. They are not published, and removed if they were. */
import { deriveCommitteeName } from './derive-committee-name.ts';
import { convertMarkupLine } from './html-to-text.ts';
import type { ImportObserver } from './import-observer.ts';
import { isCancelledTitle } from './vocabulary/vocabulary.ts';

/** Sentences. More would hide other notes. */
const maxNotes = 100;

const maxTitleLength = 200;

export interface CancelledSessions {
  /** @param id the same session may occur in several rows */
  check(id: string, title: string): boolean;
}

export function createCancelledSessions({ onNote }: ImportObserver): CancelledSessions {
  const found = new Set<string>();
  return {
    check: (id, markup) => {
      const title = convertMarkupLine(markup);
      const folded = title.replace(/\p{Cf}/gu, '');
      // A word for the attendance may follow: "Sportausschuss - entfällt (öffentlich)".
      if (!isCancelledTitle(folded) && !isCancelledTitle(deriveCommitteeName(folded))) return false;
      if (!found.has(id) && found.size < maxNotes)
        onNote?.({ code: 'session-is-cancelled', title: title.slice(0, maxTitleLength).toWellFormed() });
      found.add(id);
      return true;
    },
  };
}
