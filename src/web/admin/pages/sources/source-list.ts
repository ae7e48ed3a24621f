/** The sources of a municipality. */

import type { SourceSummary } from '../../../../domain/sources/import-source.ts';
import { actionLink, announcement, paragraph, table, userText } from '../../../ui/components.ts';
import { html } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { may, type TenantContext } from '../../requests/page-context.ts';
import type { UntitledPage } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { help } from '../../ui/help.ts';
import { organizationPath } from '../../ui/navigation.ts';
import { sourcePath } from './source-path.ts';
import { conditionBadge, describeLastImport, describeSchedule } from './source-state.ts';

export function sourceListRoutes({ store }: AdminContext): Route[] {
  async function listPage(context: TenantContext): Promise<UntitledPage> {
    const { text, organization, query } = context;
    const sources = await store.listSources(organization.id);
    const start = `${organizationPath(organization)}/imports/new`;
    const body = html`${query.has('removed') ? announcement(text.sources.removed) : ''}
${paragraph(text.sources.intro)}
${help(context, 'sources')}
${may(context, 'import') ? actionLink(start, text.importSteps.importFile, 'primary') : ''}
${sources.length === 0 ? paragraph(text.sources.none) : await sourceTable(context, sources)}`;
    return { body };
  }

  async function sourceTable(context: TenantContext, sources: readonly SourceSummary[]) {
    const { text, format, organization } = context;
    const words = text.sources;
    const latest = await Promise.all(
      sources.map(async (source) => (await store.listImportRunsOfSource(organization.id, source, 1))[0]),
    );
    const rows = sources.map((source, index) => [
      html`<a class="kern-link long-text" href="${sourcePath(organization, source.name)}">${userText(source.name)}</a>`,
      conditionBadge(source, context),
      text.importFormats[source.format] ?? source.format,
      source.url === null ? words.upload : html`<span class="long-text">${userText(source.url)}</span>`,
      describeSchedule(source, context),
      describeLastImport(source, latest[index], context),
      format.time(source.nextAt),
    ]);
    const { name, status, format: formatHeading } = text.terms;
    const { origin, schedule, lastImport, nextRun } = words;
    const columns = [name, status, formatHeading, origin, schedule, lastImport, nextRun];
    return table(words.title, columns, rows, { cards: '' });
  }

  return [
    {
      path: '/admin/organizations/:organizationId/sources',
      title: (text) => text.sources.title,
      group: 'imports',
      access: 'see',
      get: listPage,
    },
  ];
}
