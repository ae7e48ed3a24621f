/** The notes of colleagues on the page of a record. */

import type { RecordReference } from '../../../domain/records/record-decision.ts';
import { maxNoteLength, maxNotesPerRecord } from '../../../domain/records/record-note.ts';
import type { Store } from '../../../domain/store.ts';
import { announcement, button, paragraph, section, userText } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { form, formIdField } from '../forms/forms.ts';
import { textArea } from '../forms/text-area.ts';
import { may, type TenantContext } from '../requests/page-context.ts';
import type { FormState } from '../requests/response-types.ts';
import { actorName } from './actor-name.ts';
import { recordPath } from './record-decision.ts';

/** Empty for readers of a record without notes. */
export async function notesSection(
  store: Pick<Store, 'listRecordNotes'>,
  context: TenantContext,
  record: RecordReference,
  formState: FormState,
): Promise<SafeHtml> {
  const { text, format, query } = context;
  const words = text.recordNotes;
  const notes = await store.listRecordNotes(record);
  const mayWrite = may(context, 'importOrPublish');
  if (notes.length === 0 && !mayWrite) return html``;
  const done = (['added', 'deleted'] as const).find((one) => one === query.get('notes'));
  const items = notes.map(({ id, text: note, actor, createdAt }) => {
    const time = format.time(createdAt);
    const remove = html` <a class="kern-link" href="${recordPath(context, record)}/notes/${id}/delete">${words.delete}<span class="kern-sr-only"> (${time})</span></a>`;
    return html`<li><p class="kern-body long-text note-text">${userText(note)}</p><p class="kern-body kern-body--small">${actorName(actor, context)}, ${time}${mayWrite ? remove : ''}</p></li>`;
  });
  return section(
    words.title,
    html`${done === undefined ? '' : announcement(words.done[done])}${paragraph(words.intro)}
${items.length === 0 ? '' : html`<ol class="notes">${items}</ol>`}
${mayWrite ? noteForm(context, notes.length, formState) : ''}`,
  );
}

function noteForm(context: TenantContext, count: number, { values, errors }: FormState): SafeHtml {
  const { text, format } = context;
  const words = text.recordNotes;
  if (count >= maxNotesPerRecord) return paragraph(words.full(format.number(maxNotesPerRecord)));
  return form(
    context,
    html`${formIdField()}${textArea({
      name: 'note',
      label: words.label,
      hint: words.hint(format.number(maxNoteLength)),
      error: errors.note,
      value: values.get('note') ?? '',
      rows: 4,
      isProse: true,
    })}
<div class="actions">${button(words.add, 'secondary')}</div>`,
    errors,
  );
}
