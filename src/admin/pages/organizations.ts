/** For operators: the municipalities. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { OrganizationSummary } from '../../domain/store.ts';
import type { SignedInVisit } from '../request-context.ts';
import type { Page } from '../response.ts';
import type { Route, Site } from '../routes.ts';
import { chosenName, link, paragraph, table } from '../ui/components.ts';
import { pager, searchForm, shownPart, submitSearch, wordsOf } from '../ui/list-page.ts';

export function organizationRoutes({ store }: Site): Route[] {
  async function organizations(visit: SignedInVisit): Promise<Page> {
    const { text } = visit;
    const all = await store.listOrganizationNames();
    if (all.length === 0) {
      const body = html`${paragraph(text.organizations.none)}<p><code>rostra organization add</code></p>`;
      return { title: text.organizations.title, body };
    }
    const words = wordsOf(visit).toLowerCase();
    const found = all.filter(({ name }) => name.toLowerCase().includes(words));
    const shown = shownPart(visit, found);
    const summaries = [];
    for (const one of shown.rows) summaries.push(await store.summarize(one));
    const body = html`${paragraph(text.organizations.intro)}
${searchForm(visit, text.organizations.name)}
${found.length === 0 ? paragraph(link(visit.path, text.organizations.showAll)) : organizationTable(visit, summaries)}
${pager(visit, shown)}`;
    return { title: text.organizations.title, body };
  }

  function organizationTable(
    { text, format }: SignedInVisit,
    shown: readonly OrganizationSummary[],
  ): SafeHtml {
    const rows = shown.map(({ id, name, activeKeys, submissions, sessions, surveys }) => [
      html`<a class="kern-link long-text" href="/admin/organizations/${id}/keys">${chosenName(name)}</a>`,
      ...[activeKeys, submissions, sessions, surveys].map(format.number),
    ]);
    const columns = [
      { heading: text.organizations.name },
      { heading: text.organizations.activeKeys, numeric: true },
      { heading: text.published.submissions, numeric: true },
      { heading: text.published.sessions, numeric: true },
      { heading: text.organizations.surveys, numeric: true },
    ];
    return table(text.organizations.title, columns, rows, { hideCaption: true });
  }

  return [{ path: '/admin/organizations', for: 'operators', show: organizations, submit: submitSearch }];
}
