/** Finds sessions that only their title cancels. They are not published, and removed if they were. */
import { deriveCommitteeName } from './derive-committee-name.ts';
import { convertMarkupLine } from './html-to-text.ts';
import type { ImportObserver } from './import-observer.ts';
import { isCancelledTitle } from './vocabulary/vocabulary.ts';

/** Sentences. More would hide other notes. */
const maxNotes = 100;

const maxTitleLength = 200;

/** Of a description. Later ones are about its subjects. */
const maxLines = 3;
const maxDoubts = 20;
/** Characters. */
const maxQuotedLength = 40;

export interface CancelledSessions {
  /** @param id the same session may occur in several rows */
  check(id: string, title: string): boolean;
  /** Notes a place or a description that may cancel the session. "entfällt" as a place can also mean that the session has no place. */
  noteText(text: string): void;
}

export function createCancelledSessions({ onNote }: ImportObserver): CancelledSessions {
  const found = new Set<string>();
  const doubtful = new Set<string>();
  return {
    noteText: (text) => {
      for (const line of text.split('\n', maxLines)) {
        const words = convertMarkupLine(line.slice(0, maxTitleLength));
        if (doubtful.size >= maxDoubts || doubtful.has(words) || !isCancelledTitle(words)) continue;
        doubtful.add(words);
        // A description may go on with the name of a person.
        onNote?.({ code: 'session-may-be-cancelled', text: words.slice(0, maxQuotedLength).toWellFormed() });
      }
    },
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
