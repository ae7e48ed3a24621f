/** A source: its settings, its schedule and its last imports; and its removal, after which its records stay published. */

import { readLicense } from '../../../../domain/organizations/licenses.ts';
import type { Reason } from '../../../../domain/reasons/reason.ts';
import { type ImportRun, notesOfIncompleteRuns } from '../../../../domain/runs/run-history.ts';
import { findUndoObstacle } from '../../../../domain/runs/undo.ts';
import { isEndpoint, type StoredSource } from '../../../../domain/sources/import-source.ts';
import { getSourceCondition } from '../../../../domain/sources/source-schedule.ts';
import { StoreConflictError } from '../../../../domain/store-errors.ts';
import { licenseOptions } from '../../../../ingest/format-options.ts';
import { findFormat } from '../../../../ingest/formats/format-registry.ts';
import { isPresetName, presets, takesPortalKey } from '../../../../ingest/presets/presets.ts';
import type { PageLink } from '../../../ui/breadcrumbs.ts';
import {
  actionLink,
  alert,
  announce,
  announcement,
  descriptionList,
  longText,
  paragraph,
  section,
  userText,
} from '../../../ui/components.ts';
import { folded } from '../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { licenseLink } from '../../../ui/license-link.ts';
import type { AdminContext } from '../../admin-context.ts';
import { buttonForm, form, formActions } from '../../forms/forms.ts';
import { describeTimeZone } from '../../forms/regional-choices.ts';
import { currentActor, may, type TenantContext } from '../../requests/page-context.ts';
import {
  type AdminResponse,
  FormError,
  type FormState,
  notFound,
  type Page,
} from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { askNote, publishLabel, waitingNote } from '../../ui/approval-note.ts';
import { organizationPath } from '../../ui/navigation.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { publishingActions, publishOrAsk } from '../approvals/publishing-actions.ts';
import { openRunsSection } from '../import-wizard/open-runs.ts';
import { toSourceChoice } from '../import-wizard/start-import.ts';
import { runTable } from '../run-history.ts';
import { findLastImport } from './last-import.ts';
import { portalKeyPath, sourcePath } from './source-path.ts';
import { conditionBadge, describeLastImport, describeSchedule } from './source-state.ts';

const shownRuns = 10;

/** @throws PageError 404 for an unknown source */
export async function requireSource({ store }: AdminContext, context: TenantContext): Promise<StoredSource> {
  const { organization, params } = context;
  const source = await store.findSource({ organizationId: organization.id, name: params.sourceName ?? '' });
  if (source === undefined) throw notFound();
  return source;
}

/** The parent of the pages below a source's page. */
export const sourceLink = ({ organization }: TenantContext, { name }: StoredSource): PageLink => ({
  path: sourcePath(organization, name),
  name,
});

export function sourceDetailsRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function sourcePage(context: TenantContext, error?: string): Promise<Page> {
    const { text, organization, query } = context;
    const source = await requireSource(admin, context);
    const runs = await store.listImportRunsOfSource(organization.id, source, shownRuns);
    const imports = `${organizationPath(organization)}/imports`;
    const obstacle = findUndoObstacle(await findLastImport(admin, context, source));
    const body = html`${query.has('saved') && error === undefined ? announcement(text.sources.saved) : ''}
${error === undefined ? '' : html`${announce(alert('danger', error))}${openRunsSection(context, await store.listOpenRuns(organization.id))}`}
${await waitingNote(store, context, ['source_run', 'undo'], source.name)}
${isEndpoint(source) && source.url !== null && may(context, 'publish') ? await askNote(store, context) : ''}
${problemAlert(context, source, runs[0], obstacle === undefined)}
${actions(context, source, obstacle === undefined)}
${await facts(context, source, runs, obstacle)}
${optionTexts(context, source)}
${section(
  text.sources.runs,
  html`${runs.length === 0 ? paragraph(text.sources.noRuns) : runTable(context, runs)}
${actionLink(imports, text.sources.allRuns)}`,
)}`;
    return { title: source.name, body, status: error === undefined ? 200 : 422 };
  }

  async function runNow(context: TenantContext): Promise<AdminResponse> {
    const source = await requireSource(admin, context);
    if (source.url === null) return { redirectTo: sourcePath(context.organization, source.name) };
    try {
      const values = { url: source.url };
      // A file is only published after its dry run.
      return isEndpoint(source)
        ? await publishOrAsk(admin, context, 'source_run', source.name, values)
        : { redirectTo: await publishingActions.source_run.perform(admin, context, source.name, values) };
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
    }
    return sourcePage(context, context.text.importSteps.start.errors.tooMany);
  }

  async function removalPage(context: TenantContext, { errors }: FormState): Promise<Page> {
    const { text, organization } = context;
    const source = await requireSource(admin, context);
    const words = text.sources;
    const body = html`${errors.running === undefined ? '' : alert('danger', errors.running)}
${alert('warning', words.removeQuestion(source.name))}
${paragraph(words.removeConsequence)}
${form(context, formActions(context, words.remove, sourcePath(organization, source.name), 'destructive'))}`;
    return { title: words.remove, parents: [sourceLink(context, source)], body };
  }

  async function remove(context: TenantContext): Promise<AdminResponse> {
    const source = await requireSource(admin, context);
    try {
      await admin.store.removeSource(source, currentActor(context));
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      throw new FormError({ running: context.text.sources.runsNow });
    }
    return { redirectTo: `${organizationPath(context.organization)}/sources?removed=1` };
  }

  const base = '/admin/organizations/:organizationId/sources/:sourceName';
  return [
    { path: base, access: 'see', get: (context) => sourcePage(context) },
    {
      path: `${base}/run`,
      access: 'publish',
      // The run of an endpoint publishes without asking again.
      requiresRecentAuth: true,
      get: async (context) => ({
        redirectTo: sourcePath(context.organization, (await requireSource(admin, context)).name),
      }),
      post: runNow,
    },
    {
      path: `${base}/remove`,
      access: 'publish',
      requiresRecentAuth: true,
      get: removalPage,
      post: remove,
    },
  ];
}

function problemAlert(
  context: TenantContext,
  source: StoredSource,
  latest: ImportRun | undefined,
  canUndo: boolean,
): SafeHtml {
  const { text, format, nowMs } = context;
  const condition = getSourceCondition(source, nowMs);
  if (condition === 'stale') return alert('warning', text.sources.stale, paragraph(text.sources.staleHint));
  if (source.failingSince === null && latest !== undefined) {
    const missing = latest.notes.find(({ code }) => notesOfIncompleteRuns.includes(code));
    if (isUnfinished(latest))
      return alert('warning', text.sources.unfinished, paragraph(text.sources.unfinishedHint(canUndo)));
    if (missing !== undefined)
      return alert('warning', text.sources.incomplete, paragraph(reasonText(context, missing)));
  }
  if (source.failingSince === null) return html``;
  const sentence = source.error === null ? '' : reasonText(context, source.error);
  const message = html`<p class="kern-body">${userText(sentence)}</p>`;
  return alert(
    'danger',
    text.sources.failing(format.timeText(source.failingSince)),
    html`${paragraph(text.sources.failingHint)}${message}`,
  );
}

const isUnfinished = ({ state, undoneAt, inserted, changed, removed }: ImportRun) =>
  ['failed', 'interrupted', 'stale'].includes(state) && undoneAt === null && inserted + changed + removed > 0;

function actions(context: TenantContext, source: StoredSource, canUndo: boolean): SafeHtml {
  const { text, organization } = context;
  const { name, url } = source;
  const path = sourcePath(organization, name);
  const upload = `${organizationPath(organization)}/imports/new?${new URLSearchParams({ source: toSourceChoice(name) })}`;
  const nextFile =
    url === null && may(context, 'import')
      ? actionLink(upload, text.importSteps.importNextFile, 'primary')
      : '';
  if (!may(context, 'publish'))
    return nextFile === '' ? html`` : html`<div class="actions">${nextFile}</div>`;
  const run =
    url === null
      ? nextFile
      : buttonForm(
          context,
          `${path}/run`,
          isEndpoint(source) ? publishLabel(context, text.sources.run) : text.sources.run,
        );
  return html`<div class="actions">${run}
${actionLink(`${path}/edit`, text.sources.edit)}
${takesPortalKey(source) || source.portalKeyOrigin !== null ? actionLink(portalKeyPath(path), text.sources.portalKey.title) : ''}
${canUndo ? actionLink(`${path}/undo`, text.sources.undo) : ''}
${actionLink(`${path}/remove`, text.sources.remove)}</div>
${isEndpoint(source) ? paragraph(text.sources.endpointHint) : ''}`;
}

/** @param undoObstacle why the page does not offer to undo the last import */
async function facts(
  context: TenantContext,
  source: StoredSource,
  runs: readonly ImportRun[],
  undoObstacle: Reason | undefined,
): Promise<SafeHtml> {
  const lastComplete = runs.find(({ state }) => state === 'done');
  const { text, format } = context;
  const words = text.sources;
  const license = readLicense(source.options);
  const { redaction, url, timeZone, maxDeletedPercent, locations, nextAt, portalKeyOrigin } = source;
  const kinds = redaction.kinds?.map((kind) => text.importSettings.personalData.kinds[kind]?.label ?? kind);
  return descriptionList([
    [text.terms.status, conditionBadge(source, context)],
    [text.terms.format, text.importFormats[source.format] ?? source.format],
    [words.origin, url === null ? words.upload : html`<span class="long-text">${userText(url)}</span>`],
    url !== null && [words.schedule, describeSchedule(source, context)],
    [words.lastImport, describeLastImport(source, lastComplete, context)],
    nextAt !== null && [words.nextRun, format.time(nextAt)],
    portalKeyOrigin !== null && [words.portalKey.title, words.portalKey.stored(portalKeyOrigin)],
    [
      words.redaction,
      kinds === undefined
        ? words.redactionOfInstallation
        : [...kinds, ...Object.keys(redaction.patterns)].join(', ') || words.noRedaction,
    ],
    findFormat(source.format).hasLocations === true && [
      text.sourceFields.locations,
      locations === null
        ? text.importSettings.locations.notPublished
        : text.importSettings.locations.published,
    ],
    [
      text.organizationSettings.labels.timeZone,
      timeZone === null ? words.timeZoneOfMunicipality : await describeTimeZone(timeZone, context),
    ],
    [text.openData.license, license === null ? words.licenseOfMunicipality : licenseLink(context, license)],
    [
      words.missing,
      maxDeletedPercent === null
        ? words.missingKept
        : words.missingRemoved(format.percent(maxDeletedPercent / 100)),
    ],
    undoObstacle !== undefined &&
      runs.length > 0 &&
      may(context, 'publish') && [words.undo, longText(reasonText(context, undoObstacle))],
  ]);
}

/** The mapping and other options. Contents of files are long. */
function optionTexts({ text }: TenantContext, { options }: StoredSource): SafeHtml {
  const entries = Object.entries(options).filter(([name]) => !Object.hasOwn(licenseOptions, name));
  if (entries.length === 0) return html``;
  const items = entries.map(([name, value]) => {
    const label = text.importSettings.option[name]?.label ?? name;
    const shown = name === 'system' && isPresetName(value) ? presets[value].title : value;
    return folded(
      label,
      html`<pre class="json long-code" role="region" aria-label="${label}" tabindex="0" dir="ltr"><code>${shown}</code></pre>`,
    );
  });
  return section(text.sources.options, html`${items}`);
}
