/** Adds notes on records, and deletes them. */

import { recordKinds } from '../../../../contract/resources/changes.ts';
import { maxNoteLength, maxNotesPerRecord, parseNote } from '../../../../domain/records/record-note.ts';
import type { RecordKind } from '../../../../domain/records/records.ts';
import type { Store } from '../../../../domain/store.ts';
import { uuidPattern } from '../../../../domain/values/uuid.ts';
import { paragraph, userText } from '../../../ui/components.ts';
import { html } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { form, formActions } from '../../forms/forms.ts';
import { currentActor, type TenantContext } from '../../requests/page-context.ts';
import { type AdminResponse, FormError, notFound, PageError } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { actorName } from '../../ui/actor-name.ts';
import { recordPath } from '../../ui/record-decision.ts';
import { findRecordReference, recordParents, recordRoute } from './record-decisions.ts';

/** The form on the page of a record. */
export const createNoteHandler =
  (store: Pick<Store, 'addRecordNote'>, kind: RecordKind) =>
  async (context: TenantContext, values: URLSearchParams): Promise<AdminResponse> => {
    const { text, format } = context;
    const id = values.get('form') ?? '';
    if (!uuidPattern.test(id)) throw new PageError(400);
    const note = parseNote(values.get('note') ?? '');
    if (note === undefined)
      throw new FormError({ note: text.recordNotes.invalid(format.number(maxNoteLength)) });
    const record = findRecordReference(context, kind);
    const outcome = await store.addRecordNote(record, { id, text: note }, currentActor(context));
    if (outcome === 'missing') throw notFound();
    // Colleagues may have added some meanwhile.
    if (outcome === 'full')
      throw new FormError({ note: text.recordNotes.full(format.number(maxNotesPerRecord)) });
    return { redirectTo: `${recordPath(context, record)}?notes=added` };
  };

export function recordNoteRoutes({ store }: AdminContext): Route[] {
  const createRoute = (kind: RecordKind): Route => {
    async function deletePage(context: TenantContext): Promise<AdminResponse> {
      const { text, format, params } = context;
      const record = findRecordReference(context, kind);
      const page = recordPath(context, record);
      const note = (await store.listRecordNotes(record)).find(({ id }) => id === params.noteId);
      // Somebody else may have deleted it meanwhile.
      if (note === undefined) return { redirectTo: page };
      return {
        title: text.recordNotes.delete,
        body: html`<p class="kern-body long-text note-text">${userText(note.text)}</p>
${paragraph(actorName(note.actor, context), ', ', format.time(note.createdAt))}
${form(context, formActions(context, text.recordNotes.delete, page, 'destructive'))}`,
        parents: recordParents(context, record, text.recordDecisions.kinds[kind]),
      };
    }

    async function deleteNote(context: TenantContext): Promise<AdminResponse> {
      const record = findRecordReference(context, kind);
      await store.deleteRecordNote(record, context.params.noteId ?? '', currentActor(context));
      return { redirectTo: `${recordPath(context, record)}?notes=deleted` };
    }

    return {
      path: `${recordRoute(kind)}/notes/:noteId/delete`,
      access: 'importOrPublish',
      get: deletePage,
      post: deleteNote,
    };
  };

  return recordKinds.map(createRoute);
}
