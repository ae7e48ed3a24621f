/** Adding a municipality, for operators. */
import { randomUUID } from 'node:crypto';
import { defaultTimeZone } from '../../../domain/organizations/organization-fields.ts';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import { isUuid } from '../../../domain/values/uuid.ts';
import { paragraph } from '../../ui/components.ts';
import { html } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { form, formActions, formIdField } from '../forms/forms.ts';
import { currentActor, type SignedInContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormState, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { organizationPath } from '../ui/navigation.ts';
import { organizationsPath } from './organization-list.ts';
import { groups, listChoices, parseField, renderField } from './organization-settings.ts';

const fields = groups.municipality;

export function addOrganizationRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function addPage(context: SignedInContext, { values: entered, errors }: FormState): Promise<Page> {
    const { text } = context;
    const choices = await listChoices(admin, context);
    const read = (name: string) => entered.get(name) ?? (name === 'timeZone' ? defaultTimeZone : '');
    const content = html`${formIdField()}
${fields.map((name) => renderField(context, name, read(name), errors[name], choices[name]))}
${formActions(context, text.organizations.add, organizationsPath)}`;
    const body = html`${paragraph(text.organizations.addIntro)}${form(context, content, errors)}`;
    return { title: text.organizations.add, body };
  }

  async function add(context: SignedInContext, entered: URLSearchParams): Promise<AdminResponse> {
    const { errors: messages, nameTaken } = context.text.organizationSettings;
    const parsed = fields.map((name) => [name, parseField(name, (entered.get(name) ?? '').trim())] as const);
    const wrong = parsed.filter(([, value]) => value === undefined);
    if (wrong.length > 0)
      throw new FormError(Object.fromEntries(wrong.map(([name]) => [name, messages[name]])));
    const { name, ...others } = Object.fromEntries(
      parsed.map(([name, value]) => [name, value ?? undefined]),
    ) as Partial<Record<(typeof fields)[number], string>> & { name: string };
    // A form that is submitted twice adds one municipality.
    const formId = entered.get('form') ?? '';
    const id = isUuid(formId) ? formId : randomUUID();
    try {
      await store.addOrganization(name, id, others, currentActor(context));
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      if ((await store.findOrganization(id))?.name !== name) throw new FormError({ name: nameTaken });
    }
    return { redirectTo: `${organizationPath({ id })}?added` };
  }

  return [{ path: `${organizationsPath}/new`, access: 'operator', get: addPage, post: add }];
}
