/** Finds sessions that only their title cancels. They are not published, and removed if they were. */
import type { ImportObserver } from './import-observer.ts';
import { isCancelledTitle } from './vocabulary/vocabulary.ts';

/** Sentences; further sessions are counted in the last one. */
const maxNotes = 100;

const maxTitleLength = 200;

export interface CancelledSessions {
  /** @param id the same session may occur in several rows */
  check(id: string, title: string): boolean;
}

export function createCancelledSessions({ onNote }: ImportObserver): CancelledSessions {
  const found = new Set<string>();
  return {
    check: (id, title) => {
      if (!isCancelledTitle(title)) return false;
      if (!found.has(id) && found.size < maxNotes)
        onNote?.(
          `A session is cancelled by its title, and not published: ${title.trim().slice(0, maxTitleLength).toWellFormed()}`,
        );
      found.add(id);
      return true;
    },
  };
}
