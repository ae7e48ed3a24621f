/** Collects the pages that the statement of one batch reads. */
import type { Admission, ListPageRequest } from '../../domain/store.ts';
import { type BatchedPage, type BatchPages, readNothing } from '../admission-batcher.ts';
import { maxBatchRows } from '../engine.ts';
import { composePageQuery, toPage } from '../queries/list-pages.ts';

export function createBatchPages(): BatchPages {
  /** All have the same parts. */
  const pages: BatchedPage[] = [];
  /** Indexes in `pages` by the values of the query: equal requests share one page. */
  const indexes = new Map<string, number>();
  let rows = 0;

  /** @returns the index of the page in the batch; undefined if the statement cannot read it with the others */
  function addPage(page: ListPageRequest, cachedVersion: Admission['dataVersion']): number | undefined {
    const query = composePageQuery(page);
    if (pages[0] !== undefined && pages[0].query.parts !== query.parts) return undefined;
    // No value contains a control character.
    const pageKey = `${query.limit}\n${query.values.join('\n')}`;
    const known = indexes.get(pageKey);
    if (known !== undefined) {
      if (pages[known]?.cachedVersion !== cachedVersion) pages[known] = { query, cachedVersion: undefined };
      return known;
    }
    if (rows + query.limit > maxBatchRows) return undefined;
    rows += query.limit;
    indexes.set(pageKey, pages.length);
    return pages.push({ query, cachedVersion }) - 1;
  }

  return {
    pages,
    add: (prefetch) => {
      const page = prefetch?.plan();
      const index = page && addPage(page, prefetch?.cachedVersion);
      if (page === undefined || index === undefined) return readNothing;
      return (granted) => {
        const row = granted.pages[index];
        return row && toPage(row, page.limit);
      };
    },
  };
}
