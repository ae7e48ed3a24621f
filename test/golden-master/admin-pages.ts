/** Follows the links of the admin area from its first page, as an operator. */
import { convert } from 'html-to-text';
import { createFormClient, decodeHtml, password } from '../support/form-client.ts';

/** Pages with the same path except for ids, names and numbers show the same things; these many of them are read. */
const maxSimilarPages = 3;

/** The other language is read for itself, and files are no pages. */
const isOmitted = /[?&]language=|\/static\//;

const toShape = (path: string) =>
  path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|=[^&]*|\d+/g, (part) => (part.startsWith('=') ? '=' : '#'));

/** @param link one-time link of a new account; yields the path and the text of each page, with the names of its fields */
export async function* readAdminPages(
  origin: string,
  link: string,
  language: 'de' | 'en',
): AsyncGenerator<string> {
  const client = createFormClient(origin, language);
  await client.submitForm(link.replace(/^https?:\/\/[^/]+/, ''), { password });
  const seen = new Set(['/admin']);
  const shapes = new Map<string, number>();
  const queue = ['/admin'];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { status, location, headers, body } = await client.get(path);
    const type = headers.get('content-type') ?? '';
    const fields = [...body.matchAll(/<(?:input|select|textarea|button)[^>]* name="([^"]+)"/g)].map(
      ([, name]) => name,
    );
    const text = type.startsWith('text/html')
      ? convert(body, { wordwrap: false, selectors: [{ selector: 'a', options: { ignoreHref: true } }] })
      : type.startsWith('image/')
        ? type
        : body;
    yield `GET ${path}\n${status} ${location ?? ''}\n${text}\nfields: ${fields.join(' ')}\n\n`;
    const links = [...body.matchAll(/ href="(\/admin[^"#]*)/g)].map(([, href]) => decodeHtml(href as string));
    for (const next of [location ?? '', ...links].filter((href) => href.startsWith('/admin'))) {
      const count = shapes.get(toShape(next)) ?? 0;
      if (seen.has(next) || count >= maxSimilarPages || isOmitted.test(next)) continue;
      shapes.set(toShape(next), count + 1);
      seen.add(next);
      queue.push(next);
    }
  }
}
