/** Which locations of submissions a municipality publishes, and how exactly. */

import { limits } from '../../../contract/field-schemas.ts';
import { parseTopics } from '../../../domain/organizations/location-rules.ts';
import type { Organization } from '../../../domain/organizations/organization.ts';
import { findFormat } from '../../../ingest/formats/format-registry.ts';
import { announcement, button, link, paragraph, section, table, userText } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { form } from '../forms/forms.ts';
import { radioGroup } from '../forms/radio-group.ts';
import { textArea } from '../forms/text-area.ts';
import { currentActor, type TenantContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormState, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { help } from '../ui/help.ts';
import { settingsPath } from './logo-section.ts';
import { sourcePath } from './sources/source-path.ts';

export const locationsPath = (context: TenantContext): string => `${settingsPath(context)}/locations`;

const precisions = ['off', '3', '4'] as const;

/** The key of the text about it. */
export const describePrecision = ({ locationDecimals }: Organization): 'off' | 3 | 4 =>
  locationDecimals === null ? 'off' : locationDecimals === 3 ? 3 : 4;

export function locationRoutes(admin: AdminContext): Route[] {
  async function locationsPage(
    context: TenantContext,
    { values: entered, errors }: FormState,
  ): Promise<Page> {
    const { text, query, organization } = context;
    const words = text.locations;
    const isOpened = Object.keys(errors).length === 0;
    const precision = entered.get('precision') ?? String(describePrecision(organization));
    const choices = precisions.map((value) => ({
      value,
      ...words.precisions[value === 'off' ? value : value === '3' ? 3 : 4],
    }));
    const content = html`${radioGroup('precision', words.legend, choices, precision, errors.precision)}
${textArea({
  name: 'topics',
  label: words.topics,
  hint: words.topicsHint,
  error: errors.topics,
  value: entered.get('topics') ?? organization.topicsWithoutLocation ?? '',
  rows: 6,
  isProse: true,
  optional: text.form.optional,
})}
${paragraph(words.effect)}
<div class="actions">${button(text.form.save)}</div>`;
    const body = html`${isOpened && query.has('saved') ? announcement(words.saved) : ''}
${paragraph(words.intro)}
${paragraph(words.both)}
${help(context, 'locations')}
${form(context, content, errors, { action: locationsPath(context) })}
${section(words.sources, await sourceTable(admin, context))}`;
    return {
      title: words.title,
      body,
      parents: [{ path: settingsPath(context), name: text.organizationSettings.title }],
    };
  }

  async function save(context: TenantContext, entered: URLSearchParams): Promise<AdminResponse> {
    const words = context.text.locations;
    const precision = precisions.find((each) => each === entered.get('precision'));
    const typed = (entered.get('topics') ?? '').trim();
    const topics = typed === '' ? null : parseTopics(typed);
    const problems = {
      ...(precision === undefined && { precision: words.precisionMissing }),
      ...(topics === undefined && { topics: words.topicsWrong(limits.word) }),
    };
    if (precision === undefined || topics === undefined) throw new FormError(problems);
    await admin.store.editOrganization(
      context.organization.id,
      { locationDecimals: precision === 'off' ? null : precision, topicsWithoutLocation: topics },
      currentActor(context),
    );
    return { redirectTo: `${locationsPath(context)}?saved` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/settings/locations',
      access: 'publish',
      requiresRecentAuth: true,
      get: locationsPage,
      post: save,
    },
  ];
}

/** The sources whose submissions can have locations. */
async function sourceTable({ store }: AdminContext, context: TenantContext): Promise<SafeHtml> {
  const { text, organization } = context;
  const { published, notPublished } = text.importSettings.locations;
  const rows: SafeHtml[][] = [];
  for (const { name, format } of await store.listSources(organization.id)) {
    if (findFormat(format).hasLocations !== true) continue;
    const source = await store.findSource({ organizationId: organization.id, name });
    const state = source?.locations === 'on' ? published : notPublished;
    rows.push([link(sourcePath(organization, name), userText(name)), html`${state}`]);
  }
  if (rows.length === 0) return paragraph(text.locations.noSources);
  return table(text.locations.sources, [text.imports.source, text.importSettings.locations.title], rows, {
    cards: '',
  });
}
