/** Renders the Markdown of the guide and of the descriptions in the contract as HTML. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { codeBlock, dataTable, textLink } from './components.ts';

export interface Section {
  id: string;
  title: string;
}

interface RenderedMarkdown {
  /** The first heading; empty without headings. */
  title: string;
  content: SafeHtml;
  /** The headings of the second level. */
  sections: Section[];
}

/** The Markdown is our own, so its HTML is trusted. */
const trust = (rendered: string): SafeHtml => html.raw`${rendered}`;

/** The same anchors as on GitHub. */
const createAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const headingSizes = ['x-large', 'large', 'medium', 'small'];

interface LinkTargets {
  /** Targets of code that becomes a link, such as the path of an operation. */
  ofCode: ReadonlyMap<string, string>;
  /** @returns undefined for a file that the installation does not serve: the link becomes text */
  resolve(href: string): string | undefined;
}

export function renderMarkdown(markdown: string, { ofCode, resolve }: LinkTargets): RenderedMarkdown {
  const sections: Section[] = [];
  let title = '';
  let heading = '';
  const renderer: RendererObject = {
    heading({ tokens, text, depth }) {
      heading = text;
      title ||= text;
      const id = createAnchor(text);
      if (depth === 2) sections.push({ id, title: text });
      const content = trust(this.parser.parseInline(tokens));
      return String(
        html.raw`<h${depth} class="kern-heading-${headingSizes[depth - 1]}" id="${id}">${content}</h${depth}>`,
      );
    },
    paragraph({ tokens }) {
      return String(html`<p class="kern-body">${trust(this.parser.parseInline(tokens))}</p>`);
    },
    code: ({ text, lang }) => String(codeBlock(`Example: ${heading}`, text, lang === 'sh')),
    codespan({ text }) {
      const code = html`<code>${text}</code>`;
      const target = ofCode.get(text);
      return String(target === undefined ? code : textLink(target, code));
    },
    link({ href, tokens }) {
      const content = trust(this.parser.parseInline(tokens));
      const target = resolve(href);
      return String(target === undefined ? content : textLink(target, content));
    },
    list({ items }) {
      const entries = items.map((item) => html`<li>${trust(this.parser.parse(item.tokens))}</li>`);
      return String(html`<ul class="kern-list kern-body">${entries}</ul>`);
    },
    table({ header, rows }) {
      const renderCell = ({ tokens }: Tokens.TableCell) => trust(this.parser.parseInline(tokens));
      return String(
        dataTable(
          heading,
          header.map(renderCell),
          rows.map((row) => row.map(renderCell)),
        ),
      );
    },
    // Comments are for `npm run docs`.
    html: () => '',
  };
  const content = new Marked({ renderer, async: false }).parse(markdown) as string;
  return { title, content: trust(content), sections };
}
