/** The list of municipalities, for operators. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { OrganizationSummary } from '../../domain/organization.ts';
import type { AdminContext } from '../admin-context.ts';
import type { SignedInContext } from '../page-context.ts';
import type { Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { link, numeric, paragraph, table, userText } from '../ui/components.ts';
import { pager, redirectToSearch, searchForm, searchTerm, slicePage } from '../ui/list-page.ts';

export function organizationRoutes({ store }: AdminContext): Route[] {
  async function listPage(context: SignedInContext): Promise<Page> {
    const { text } = context;
    const all = await store.listOrganizationNames();
    if (all.length === 0) {
      const body = html`${paragraph(text.organizations.none)}<p><code>rostra organization add</code></p>`;
      return { title: text.organizations.title, body };
    }
    const term = searchTerm(context).toLowerCase();
    const found = all.filter(({ name }) => name.toLowerCase().includes(term));
    const slice = slicePage(context, found);
    const summaries = [];
    for (const one of slice.rows) summaries.push(await store.summarize(one));
    const body = html`${paragraph(text.organizations.intro)}
${searchForm(context, text.organizations.name)}
${found.length === 0 ? paragraph(link(context.path, text.organizations.showAll)) : organizationTable(context, summaries)}
${pager(context, slice)}`;
    return { title: text.organizations.title, body };
  }

  function organizationTable(
    { text, format }: SignedInContext,
    shown: readonly OrganizationSummary[],
  ): SafeHtml {
    const rows = shown.map(({ id, name, activeKeys, submissions, sessions, surveys }) => [
      html`<a class="kern-link long-text" href="/admin/organizations/${id}/keys">${userText(name)}</a>`,
      ...[activeKeys, submissions, sessions, surveys].map(format.number),
    ]);
    const columns = [
      text.organizations.name,
      numeric(text.organizations.activeKeys),
      numeric(text.statistics.submissions),
      numeric(text.statistics.sessions),
      numeric(text.organizations.surveys),
    ];
    return table(text.organizations.title, columns, rows);
  }

  return [
    { path: '/admin/organizations', access: 'operator', get: listPage, post: redirectToSearch },
    {
      path: '/admin/organizations/:organizationId',
      access: 'reader',
      get: async ({ path }) => ({ redirectTo: `${path}/keys` }),
    },
  ];
}
