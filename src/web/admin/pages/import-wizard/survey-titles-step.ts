/** Corrects the title and the question of the surveys in one table, and repeats the dry run. */

import { limits } from '../../../../contract/field-schemas.ts';
import type { QueuedRun, SurveyTableTexts } from '../../../../domain/runs/run-queue.ts';
import { maxOptionsLength } from '../../../../domain/sources/import-source.ts';
import { findFormat } from '../../../../ingest/formats/format-registry.ts';
import { errorSummary, paragraph } from '../../../ui/components.ts';
import { html } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { csrfField, formActions } from '../../forms/forms.ts';
import { questionField, surveyTitleField } from '../../forms/survey-text-fields.ts';
import { continueImport } from '../../queue-import-steps.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { notFound, type Redirect } from '../../requests/response-types.ts';
import { canChangeSettings, type RunContent, stepsPath } from './run-stage.ts';

export const titlesPath = (run: QueuedRun, { file }: Pick<SurveyTableTexts, 'file'>): string =>
  `${stepsPath(run)}/titles?${new URLSearchParams({ table: file })}`;

/** @throws PageError 404 for an unknown table, and if the run cannot be changed */
function requireTable({ query }: TenantContext, run: QueuedRun): SurveyTableTexts {
  const table = run.dryRun?.surveyTables.find(({ file }) => file === query.get('table'));
  if (table === undefined || !canChangeSettings(run)) throw notFound();
  return table;
}

export function titlesContent(
  context: TenantContext,
  run: QueuedRun,
  entered?: Pick<SurveyTableTexts, 'title' | 'question'>,
  errors: Record<string, string> = {},
): RunContent {
  const { text } = context;
  const words = text.dryRun.titles;
  const table = requireTable(context, run);
  // After the user has signed in again, the address has what was entered.
  const {
    title = context.query.get('title') ?? table.title,
    question = context.query.get('question') ?? table.question,
  } = entered ?? {};
  const body = html`${errorSummary(context, errors)}
${paragraph(words.intro(table.file))}
<form method="post" action="${titlesPath(run, table)}" class="page-form" novalidate>${csrfField(context)}
<input type="hidden" name="table" value="${table.file}">
${surveyTitleField(context, { hint: table.surveys > 1 ? words.titleHint : undefined, value: title, errors })}
${questionField(context, { hint: words.questionHint, value: question, errors })}
${formActions(context, words.submit, `${stepsPath(run)}#titles`)}</form>`;
  return { body, status: Object.keys(errors).length > 0 ? 422 : 200 };
}

export async function submitTitles(
  admin: AdminContext,
  context: TenantContext,
  run: QueuedRun,
  values: URLSearchParams,
): Promise<RunContent | Redirect> {
  const table = requireTable(context, run);
  const { definition } = run;
  const correctTable = definition && findFormat(definition.format).correctTable;
  if (definition === null || !correctTable) throw notFound();
  const words = context.text.dryRun.titles;
  const read = (name: string) => (values.get(name) ?? '').replaceAll(/\s+/g, ' ').trim();
  const entered = { title: read('title'), question: read('question') };
  const errors = Object.fromEntries(
    Object.entries(entered)
      .filter(([, value]) => value === '' || value.length > limits.name)
      .map(([name]) => [name, words.wrong(context.format.number(limits.name))]),
  );
  if (Object.keys(errors).length > 0) return titlesContent(context, run, entered, errors);
  // The option has a title for the only table, and takes precedence.
  const { title: _, ...options } = definition.options;
  const metadata = correctTable(options.metadata, table.file, entered);
  const excess = JSON.stringify({ ...options, metadata }).length - maxOptionsLength;
  if (excess > 0) {
    const { format, text } = context;
    const limit = format.number(Math.max(0, metadata.length - excess));
    const question = text.importSettings.errors.tooLong(format.number(metadata.length), limit);
    return titlesContent(context, run, entered, { question });
  }
  await continueImport(admin, context, run, 'dry_run', {
    definition: { ...definition, options: { ...options, metadata } },
  });
  return { redirectTo: stepsPath(run) };
}
