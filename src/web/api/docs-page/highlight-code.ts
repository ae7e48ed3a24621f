/**
 * Colours code on the server, so that pages need no script for it. Our own samples have few constructs, so a pattern for
 * each kind of token is enough; docs/decisions/0052 compares libraries.
 */
import { html, type SafeHtml } from '@remix-run/html-template';

/** The names of the classes. If two patterns match at a position, the first one counts. */
type Grammar = Partial<Record<'comment' | 'name' | 'string' | 'number' | 'keyword', RegExp>>;

/** The second quotation mark is optional, because a search for it at each first one takes quadratic time. */
const string = /"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?/;
const number = /(?<![\w.])-?\d+(?:\.\d+)?\b/;
const hashComment = /(?<=^|\s)#.*/;
/** Of a function that is called. */
const functionName = /\b\w+(?=\()/;

const matchWords = (words: string) => new RegExp(`\\b(?:${words.replaceAll(' ', '|')})\\b`);

const bash: Grammar = {
  comment: hashComment,
  string,
  number: /\$(?:\w+|\{\w+\})|(?<=\s)--?[a-zA-Z][\w-]*/,
  keyword: matchWords(
    'curl jq for while do done if then fi case esac export set npm Rscript python3 node sh',
  ),
};

const typescript: Grammar = {
  comment: /\/\/.*|\/\*[^*]*\*\//,
  string: new RegExp(`${string.source}|\`(?:\\\\.|[^\`\\\\])*\``),
  number,
  keyword: matchWords('const let await for of if else throw new import from export function return'),
  name: functionName,
};

/** By the names of languages in Markdown and of samples. Others, such as `text`, have no colours. */
const grammars: Record<string, Grammar> = {
  bash,
  json: {
    name: /"\w+"(?=:)/,
    string,
    number,
    keyword: matchWords('true false null'),
  },
  python: {
    comment: hashComment,
    string: new RegExp(`f?(?:${string.source})`),
    number,
    keyword: matchWords('import from with as for in if not def return raise None True False'),
    name: functionName,
  },
  r: {
    comment: hashComment,
    string,
    number,
    keyword: matchWords('function if else for in repeat TRUE FALSE NULL NA'),
    name: functionName,
  },
  sh: bash,
  ts: typescript,
  typescript,
};

const patterns = new Map(
  Object.entries(grammars).map(([language, grammar]) => {
    const kinds = Object.entries(grammar).map(([kind, { source }]) => `(?<${kind}>${source})`);
    return [language, new RegExp(kinds.join('|'), 'gm')];
  }),
);

export function highlightCode(code: string, language: string): SafeHtml {
  if (language === 'console') return highlightConsole(code);
  const pattern = patterns.get(language);
  if (pattern === undefined) return html`${code}`;
  const parts: (string | SafeHtml)[] = [];
  let end = 0;
  for (const { 0: token, index, groups = {} } of code.matchAll(pattern)) {
    const [kind] = Object.entries(groups).find(([, text]) => text !== undefined) ?? [];
    parts.push(code.slice(end, index), html`<span class="code-${kind}">${token}</span>`);
    end = index + token.length;
  }
  return html`${parts}${code.slice(end)}`;
}

/** Commands after a prompt, each with its output. The button that copies finds the commands by their class. */
function highlightConsole(code: string): SafeHtml {
  const lines = code.split('\n').map((line, index) => {
    const start = index > 0 ? '\n' : '';
    if (!line.startsWith('$ ')) return html`${start}${highlightCode(line, isJson(line) ? 'json' : 'text')}`;
    return html`${start}<span class="code-prompt">$ </span><span class="code-command">${highlightCode(line.slice(2), 'bash')}</span>`;
  });
  return html`${lines}`;
}

/** A line of a document. */
const isJson = (line: string) => /^\s*["{}[\]]/.test(line);
