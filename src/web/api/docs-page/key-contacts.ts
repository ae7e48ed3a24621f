/** Whom a reader of the documentation asks for an API key (docs/decisions/0141). */
import { setTimeout } from 'node:timers/promises';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { PublicContact } from '../../../domain/organizations/organization.ts';
import type { Store } from '../../../domain/store.ts';
import { openPath } from '../../open/open-data-router.ts';
import { textLink } from './components.ts';

/** A comment of `docs/api.md`, which has no contact. */
export const keyContactsMark = '<!-- whom to ask for a key -->';

export type KeyContacts =
  /** URI of the setting. */
  | { address: string }
  /** Of the store; undefined while it does not answer. */
  | { municipalities: readonly PublicContact[] | undefined };

/** A page needs no database, so it does not wait longer. */
const maxWaitMs = 300;

const lifetimeMs = 60_000;

/** @param address URI of the setting @returns reads the contacts, once for all requests of a minute */
export function createKeyContacts(
  { listPublicContacts }: Pick<Store, 'listPublicContacts'>,
  address: string | undefined,
): () => Promise<KeyContacts> {
  if (address !== undefined) return async () => ({ address });
  let municipalities: readonly PublicContact[] | undefined;
  let nextReadMs = 0;
  let reading: Promise<void> | undefined;

  const read = () =>
    listPublicContacts().then(
      (found) => {
        municipalities = found;
        nextReadMs = Date.now() + lifetimeMs;
      },
      // The next page tries again. Requests for data report the database.
      () => undefined,
    );

  return async () => {
    if (Date.now() >= nextReadMs) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await Promise.race([reading, setTimeout(maxWaitMs, undefined, { ref: false })]);
    }
    return { municipalities };
  };
}

const shared =
  'Several municipalities publish with this installation, and each issues its own keys: ask the one whose data you need.';

interface Line {
  /** undefined: not a page of open data. */
  path: string | undefined;
  name: string;
  /** Texts and addresses. */
  contacts: { text: string; href?: string }[];
}

/** An address can have a percent sign of its own, and letters that are not in UTF-8. */
function decodeIfPossible(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** @returns a sentence, and lines with contacts below it; undefined: nobody is known */
function describe(contacts: KeyContacts): { sentence: string; lines: Line[] } | undefined {
  if ('address' in contacts) {
    const { address: href } = contacts;
    const text = decodeIfPossible(href.replace(/^(mailto|tel):/, ''));
    return {
      sentence: 'Ask for a key here:',
      lines: [{ path: undefined, name: '', contacts: [{ text, href }] }],
    };
  }
  const { municipalities = [] } = contacts;
  const [first] = municipalities;
  if (first === undefined) return undefined;
  const lines = municipalities.map(toLine);
  if (!first.isOnly) return { sentence: `${shared} These publish openly, too:`, lines };
  return first.contact === null ? undefined : { sentence: 'Ask the municipality for a key:', lines };
}

function toLine({ name, slug, contact }: PublicContact): Line {
  const contacts = [
    contact?.name && { text: contact.name },
    contact?.email && { text: contact.email, href: `mailto:${contact.email}` },
    contact?.url && { text: contact.url, href: contact.url },
  ].filter((one) => one !== null && one !== undefined && one !== '');
  return { path: slug === null ? undefined : openPath + slug, name, contacts };
}

export function renderKeyContacts(contacts: KeyContacts): SafeHtml {
  const described = describe(contacts);
  if (described === undefined) return html``;
  const lines = described.lines.map(({ path, name, contacts }) => {
    const parts = [
      ...(name === '' ? [] : [path === undefined ? html`${name}` : textLink(path, name)]),
      ...contacts.map(({ text, href }) => (href === undefined ? html`${text}` : textLink(href, text))),
    ];
    return html`<li>${parts.map((part, index) => html`${index > 0 ? ', ' : ''}${part}`)}</li>`;
  });
  return html`<p class="kern-body">${described.sentence}</p>
<ul class="prose-list kern-body">${lines}</ul>`;
}

/** @param origin of the installation */
export function writeKeyContacts(contacts: KeyContacts, origin: string): string {
  const described = describe(contacts);
  if (described === undefined) return '';
  const lines = described.lines.map(({ path, name, contacts }) => {
    const texts = contacts.map(({ text, href }) => (href === undefined ? escapeMarkdown(text) : `<${href}>`));
    const parts = [
      ...(name === '' ? [] : [escapeMarkdown(name)]),
      ...(path === undefined ? [] : [`<${origin}${path}>`]),
      ...texts,
    ];
    return `- ${parts.join(', ')}`;
  });
  return [described.sentence, '', ...lines].join('\n');
}

const escapeMarkdown = (text: string) => text.replaceAll(/[\\`*_[\]<>#&|]/g, '\\$&');
