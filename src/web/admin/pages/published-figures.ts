/** How many records of each kind a municipality publishes. */

import { isDraft } from '../../../domain/records/is-draft.ts';
import { type Figure, figureCards } from '../../ui/figure-cards.ts';
import type { SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import type { TenantContext } from '../requests/page-context.ts';

/** Cards that lead to the records. Drafts are not published, so they do not count. */
export async function publishedFigures(
  { store }: Pick<AdminContext, 'store'>,
  context: TenantContext,
): Promise<SafeHtml> {
  const { text, format, timeZone, organization } = context;
  const [read, surveys] = await Promise.all([
    store.readStatistics(organization.id, timeZone),
    store.listSurveys(organization.id),
  ]);
  const counts = {
    submissions: read?.statistics.submissions,
    sessions: read?.statistics.sessions,
    surveys: surveys.filter(({ status }) => !isDraft(status)).length,
  };
  return figureCards(
    (['submissions', 'sessions', 'surveys'] as const).map(
      (kind): Figure => ({
        label: text.terms[kind],
        value: counts[kind] === undefined ? text.openData.counting : format.number(counts[kind]),
        path: context.recordsAddress(kind),
      }),
    ),
  );
}
