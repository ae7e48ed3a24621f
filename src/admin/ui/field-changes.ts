/** Names of fields in the audit log. It stores the names of the code, because its readers have several languages. */
import type { PageContext } from '../page-context.ts';

/** The fields that an action changes, by their names in the code. */
const labelsByAction: Record<string, (text: PageContext['text']) => Record<string, string>> = {
  'organization.edited': (text) => text.organizationSettings.labels,
  'key.edited': ({ keys }) => ({
    name: keys.name,
    contact: keys.contact,
    purpose: keys.purpose,
    expiresAt: keys.expires,
    requestLimit: keys.limit,
  }),
};

/** `licenseName: X → Y; attribution: A → B` with the labels of the fields in the reader's language. */
export function describeFieldChanges(action: string, subject: string, { text }: PageContext): string {
  const labels = labelsByAction[action]?.(text);
  if (labels === undefined) return subject;
  return subject.replace(/(^|; |: )(\w+)(?=: )/g, (whole, before: string, name: string) =>
    Object.hasOwn(labels, name) ? `${before}${labels[name]}` : whole,
  );
}
