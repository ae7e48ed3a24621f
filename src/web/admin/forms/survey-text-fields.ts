/** Fields for the title of a survey and a question. */

import { field, type LabelOptions } from '../../ui/components.ts';
import type { SafeHtml } from '../../ui/html.ts';
import type { TenantContext } from '../requests/page-context.ts';
import type { FormErrors } from '../requests/response-types.ts';
import { textArea } from './text-area.ts';

interface TextOptions extends Partial<LabelOptions> {
  value: string;
  errors: FormErrors;
}

export const surveyTitleField = ({ text }: TenantContext, { errors, ...options }: TextOptions): SafeHtml =>
  field({
    name: 'title',
    label: text.dryRun.titles.tableTitle,
    error: errors.title,
    autocomplete: 'off',
    ...options,
  });

export function questionField(
  { text }: TenantContext,
  { errors, name = 'question', ...options }: TextOptions,
): SafeHtml {
  return textArea({
    name,
    label: text.dryRun.titles.question,
    error: errors[name],
    rows: 3,
    isProse: true,
    ...options,
  });
}
