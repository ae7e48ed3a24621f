/** Collects the pages that the statement of one batch reads. Equal requests share one page. */
import type { Admission, ListPageRequest } from '../../domain/store.ts';
import { findNoPage, type PageCollector, type PlannedPage } from '../admission-batcher.ts';
import { maxBatchRows } from '../engine.ts';
import { toPage, toPageQuery } from '../queries/list-pages.ts';

export function createPageCollector(): PageCollector {
  /** All have the same parts. */
  const planned: PlannedPage[] = [];
  /** Indexes in `planned` by maximum rows and values of the query. */
  const indexes = new Map<string, number>();
  let rows = 0;

  /** @returns the index of the page in the batch; undefined if the statement cannot read it with the others */
  function addPage(page: ListPageRequest, cachedVersion: Admission['dataVersion']): number | undefined {
    const query = toPageQuery('postgres', page);
    if (planned[0] !== undefined && planned[0].query.parts !== query.parts) return undefined;
    // No value contains a control character.
    const pageKey = `${query.maxRows}\n${query.values.join('\n')}`;
    const known = indexes.get(pageKey);
    if (known !== undefined) {
      if (planned[known]?.cachedVersion !== cachedVersion)
        planned[known] = { query, cachedVersion: undefined };
      return known;
    }
    if (rows + query.maxRows > maxBatchRows) return undefined;
    rows += query.maxRows;
    indexes.set(pageKey, planned.length);
    return planned.push({ query, cachedVersion }) - 1;
  }

  return {
    planned,
    add: (prefetch) => {
      const page = prefetch?.plan();
      const index = page && addPage(page, prefetch?.cachedVersion);
      if (page === undefined || index === undefined) return findNoPage;
      return ({ pageRows }) => {
        const row = pageRows[index];
        return row && toPage(row, page.limit);
      };
    },
  };
}
