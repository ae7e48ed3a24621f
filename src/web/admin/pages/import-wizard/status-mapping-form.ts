/** The published status of each word of the source, which the user can change after a dry run. */

import { recommendedValues } from '../../../../contract/field-schemas.ts';
import type { QueuedRun, StatusWord } from '../../../../domain/runs/run-queue.ts';
import { button, describeApiValue, numeric, table, userText } from '../../../ui/components.ts';
import { folded, settingSummary } from '../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { csrfField } from '../../forms/forms.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { stepsPath } from './run-stage.ts';
import { columnSelect } from './settings/column-select.ts';

export function statusMappingForm(
  context: TenantContext,
  run: QueuedRun,
  words: readonly StatusWord[],
): SafeHtml {
  if (words.length === 0) return html``;
  const { text, format, query } = context;
  const labels = text.importSettings.mapping;
  const { statusWords, statusWordsHint, applyStatuses } = text.dryRun;
  const rows = words.map(({ word, publishedAs, count }, index) => {
    const id = `status.${index}`;
    const chosen = query.get(id) ?? publishedAs;
    const choices = [...new Set<string>([...recommendedValues.submissionStatus, publishedAs])].map(
      (value) => ({
        value,
        text: describeApiValue(value, context),
      }),
    );
    return [
      html`<label class="long-text" for="${id}">${userText(word)}</label>`,
      format.number(count),
      columnSelect(id, '', choices, chosen, undefined, labels.publishedStatusOf(word)),
    ];
  });
  const columns = [labels.statusWord, numeric(text.terms.count), labels.publishedStatus];
  return folded(
    settingSummary(statusWords, format.number(words.length)),
    html`<form method="post" action="${stepsPath(run)}/statuses" class="status-words">${csrfField(context)}
${table(statusWords, columns, rows, { hint: `${statusWordsHint} ${labels.statusMeaning}` })}
<div class="actions">${button(applyStatuses, 'secondary')}</div></form>`,
    context.isReopened,
  );
}

/**
 * Adds rows for the changed words to the user's own statuses. The first row that fits counts, and OParl looks for its word in
 * longer results: so longer words come first, and words that contain a changed one get rows of their own.
 *
 * @param stored JSON; undefined: the user has no own statuses
 * @returns undefined if no word was changed
 */
export function changeStatuses(
  stored: string | undefined,
  words: readonly StatusWord[],
  form: URLSearchParams,
): string | undefined {
  const chosen = words.map(({ word, publishedAs }, index) => ({
    word,
    publishedAs,
    status: (form.get(`status.${index}`) ?? '').trim() || publishedAs,
  }));
  const changed = chosen.filter(({ publishedAs, status }) => status !== publishedAs);
  if (changed.length === 0) return undefined;
  const isAffected = ({ word }: { word: string }) =>
    changed.some((one) => word.toLowerCase().includes(one.word.toLowerCase()));
  const rows = chosen
    .filter(isAffected)
    .toSorted((a, b) => b.word.length - a.word.length)
    .map(({ word, status }): [string, string] => [word, status]);
  const own = new Set(rows.map(([word]) => word));
  const kept = Object.entries(JSON.parse(stored ?? '{}') as Record<string, string>);
  return JSON.stringify(Object.fromEntries([...rows, ...kept.filter(([word]) => !own.has(word))]));
}
