/** The sources on the home page of a municipality, each with the way to its next file. */

import type { SourceSummary } from '../../../../domain/sources/import-source.ts';
import { getSourceCondition } from '../../../../domain/sources/source-schedule.ts';
import { link, paragraph, section, userText } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { may, type TenantContext } from '../../requests/page-context.ts';
import { organizationPath } from '../../ui/navigation.ts';
import { toSourceChoice } from '../import-wizard/start-import.ts';
import { sourcePath } from './source-path.ts';
import { conditionBadge, describeSchedule } from './source-state.ts';

/** Further ones are in the list of sources. */
const maxShown = 8;

/** @returns nothing without sources */
export function sourceOverview(context: TenantContext, sources: readonly SourceSummary[]): SafeHtml {
  const { text, format, organization } = context;
  if (sources.length === 0) return html``;
  const path = `${organizationPath(organization)}/sources`;
  const items = sources.slice(0, maxShown).map((source) => sourceItem(context, source));
  const all = text.home.allSources(format.number(sources.length));
  return section(
    text.sources.title,
    html`<ul class="task-list">${items}</ul>${sources.length > maxShown ? paragraph(link(path, all)) : ''}`,
  );
}

function sourceItem(context: TenantContext, source: SourceSummary): SafeHtml {
  const { organization, nowMs } = context;
  // The others have no problem that a badge would show.
  const hasBadge = ['running', 'failing', 'stale'].includes(getSourceCondition(source, nowMs));
  return html`<li class="task-list__item"><span class="task-list__text">${link(sourcePath(organization, source.name), userText(source.name))}<span class="kern-body kern-body--small">${describeUpdates(context, source)}</span></span>${hasBadge ? conditionBadge(source, context) : ''}${may(context, 'import') && source.url === null ? nextFileLink(context, source.name) : ''}</li>`;
}

/** When the source was read last, and when it is read again without a person. */
function describeUpdates(context: TenantContext, source: SourceSummary): string {
  const { text, format, nowMs } = context;
  const { lastUpdate, nextUpdate } = text.home;
  const { lastSuccessAt, nextAt } = source;
  const last =
    lastSuccessAt === null
      ? text.sources.states.waiting
      : lastUpdate(format.relativeTime(lastSuccessAt, nowMs));
  if (source.url === null) return last;
  const isAhead = nextAt !== null && Date.parse(nextAt) > nowMs;
  const schedule = describeSchedule(source, context);
  return `${last} · ${isAhead ? nextUpdate(schedule, format.relativeTime(nextAt, nowMs)) : schedule}`;
}

/** @param name tells the links of the list apart for screen readers */
function nextFileLink({ text, organization }: TenantContext, name: string): SafeHtml {
  const query = new URLSearchParams({ source: toSourceChoice(name) });
  return link(
    `${organizationPath(organization)}/imports/new?${query}`,
    html`${text.home.nextFile}<span class="hidden-text">: ${userText(name)}</span>`,
  );
}
