/** Renders the Markdown of the guide and of the descriptions in the contract as HTML. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { codeBlock, dataTable, explainedCode, textLink } from './components.ts';
import { keyContactsMark } from './key-contacts.ts';

export interface Section {
  id: string;
  title: string;
}

interface RenderedArticle {
  /** The first heading. */
  title: string;
  content: SafeHtml;
  /** The headings of the second level. */
  sections: Section[];
}

interface MarkdownRenderer {
  /** A description: paragraphs and lists. */
  renderText(markdown: string): SafeHtml;
  /** A document. Code is beside the paragraphs before it. */
  renderArticle(markdown: string): RenderedArticle;
}

interface LinkTargets {
  /** Targets of code that becomes a link, such as the path of an operation. */
  ofCode: ReadonlyMap<string, string>;
  /** @returns undefined for a file that the installation does not serve: the link becomes text */
  resolve(href: string): string | undefined;
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

/** Captions of code, by the language in Markdown. */
const languageNames: Record<string, string> = {
  console: 'Shell',
  json: 'JSON',
  sh: 'Shell',
  ts: 'TypeScript',
};

export function createMarkdownRenderer({ ofCode, resolve }: LinkTargets): MarkdownRenderer {
  let heading = '';
  /** A link cannot contain another one. */
  let isInLink = false;
  const renderer: RendererObject = {
    heading({ tokens, text, depth }) {
      heading = text;
      const content = trust(this.parser.parseInline(tokens));
      return String(
        html.raw`<h${depth} class="kern-heading-${headingSizes[depth - 1]}" id="${createAnchor(text)}">${content}</h${depth}>`,
      );
    },
    paragraph({ tokens }) {
      return String(html`<p class="kern-body">${trust(this.parser.parseInline(tokens))}</p>`);
    },
    code({ text, lang = '' }) {
      const caption = languageNames[lang] ?? 'Text';
      return String(codeBlock({ label: `Example: ${heading}`, caption, language: lang, code: text }));
    },
    codespan({ text }) {
      const code = html`<code>${text}</code>`;
      const target = isInLink ? undefined : ofCode.get(text);
      return String(target === undefined ? code : textLink(target, code));
    },
    link({ href, tokens }) {
      isInLink = true;
      const content = trust(this.parser.parseInline(tokens));
      isInLink = false;
      const target = resolve(href);
      return String(target === undefined ? content : textLink(target, content));
    },
    list({ items }) {
      const entries = items.map((item) => html`<li>${trust(this.parser.parse(item.tokens))}</li>`);
      return String(html`<ul class="prose-list kern-body">${entries}</ul>`);
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
    html: ({ text }) => (isKeyContactsMark(text) ? keyContactsMark : ''),
  };
  const marked = new Marked({ renderer, async: false });
  const render = (tokens: Token[]): SafeHtml => trust(marked.parser(tokens));

  return {
    renderText: (markdown) => render(marked.lexer(markdown)),
    renderArticle(markdown) {
      const tokens = marked.lexer(markdown);
      const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
      const content = groupByCode(tokens).map(({ text, code, result }) =>
        code.length === 0 ? render(text) : explainedCode(render(text), render(code), render(result)),
      );
      return {
        title: headings[0]?.text ?? '',
        content: html`${content}`,
        sections: headings
          .filter(({ depth }) => depth === 2)
          .map(({ text }) => ({ id: createAnchor(text), title: text })),
      };
    },
  };
}

/** Other comments are for `npm run docs`. */
const isKeyContactsMark = (text: string) => text.trim() === keyContactsMark;

interface TextWithCode {
  text: Token[];
  code: Token[];
  /** Text after the code, up to the text of the next code. */
  result: Token[];
}

/** Each group is code with the text around it, from a heading or a table on: tables need the whole width. */
function groupByCode(tokens: readonly Token[]): TextWithCode[] {
  const groups: TextWithCode[] = [];
  let group: TextWithCode = { text: [], code: [], result: [] };
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'space' || (token.type === 'html' && !isKeyContactsMark(token.raw))) continue;
    const next = tokens.slice(index).find(({ type }) => ['heading', 'table', 'code'].includes(type))?.type;
    const isCode = token.type === 'code';
    const isBreak = ['heading', 'table'].includes(token.type) || group.text.at(-1)?.type === 'table';
    const isFull = group.code.length > 0 && !isCode && next === 'code';
    if (isBreak || isFull) {
      groups.push(group);
      group = { text: [], code: [], result: [] };
    }
    group[isCode ? 'code' : group.code.length > 0 ? 'result' : 'text'].push(token);
  }
  return [...groups, group];
}
