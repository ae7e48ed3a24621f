/** A request of the API as a program in several languages, which the documentation and the admin area show. */

interface CodeSample {
  /** Also names the grammar that colours the code. */
  language: string;
  /** Name of the language or program for people. */
  name: string;
  code: string;
}

/** `none`: for an operation that needs no key. */
type SampleKey = { literal: string } | 'environment' | 'none';

interface SampleLanguage extends Omit<CodeSample, 'code'> {
  /** Expression of the header's value, with the key from the variable KEY. */
  fromEnvironment: string;
  quote: (text: string) => string;
  compose: (url: string, authorization: string | undefined) => string;
}

const quoteDouble = (text: string) => `"${text}"`;

const curl: SampleLanguage = {
  language: 'bash',
  name: 'curl',
  fromEnvironment: quoteDouble('Authorization: Bearer $KEY'),
  quote: (text) => quoteDouble(`Authorization: ${text}`),
  compose: (url, authorization) =>
    `curl -sS "${url}"${authorization === undefined ? '' : ` \\\n  -H ${authorization}`}`,
};

/** The programs need nothing that the language lacks, except `jsonlite` in R. */
const languages: readonly SampleLanguage[] = [
  curl,
  {
    language: 'python',
    name: 'Python',
    fromEnvironment: `f"Bearer {os.environ['KEY']}"`,
    quote: quoteDouble,
    // A redirect must not pass the key on to another address.
    compose: (url, authorization) => `import json
${authorization?.includes('os.environ') ? 'import os\n' : ''}from urllib.request import Request, urlopen

request = Request("${url}")
${authorization === undefined ? '' : `request.add_unredirected_header("Authorization", ${authorization})\n`}\
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`,
  },
  {
    language: 'typescript',
    name: 'TypeScript',
    fromEnvironment: `\`Bearer \${process.env.KEY}\``,
    quote: (text) => `'${text}'`,
    compose: (url, authorization) => `const url = '${url}';
const response = await fetch(url${authorization === undefined ? '' : `, {\n  headers: { Authorization: ${authorization} },\n}`});
if (!response.ok) throw new Error(\`HTTP \${response.status}\`);
console.log(JSON.stringify(await response.json(), null, 2));`,
  },
  {
    language: 'r',
    name: 'R',
    fromEnvironment: 'paste("Bearer", Sys.getenv("KEY"))',
    quote: quoteDouble,
    compose: (url, authorization) => `library(jsonlite)

connection <- url(
  "${url}"${authorization === undefined ? '' : `,\n  headers = c(Authorization = ${authorization})`}
)
print(fromJSON(connection))`,
  },
];

/** @returns programs that print the response */
export function composeCodeSamples(url: string, key: SampleKey): CodeSample[] {
  return languages.map((language) => composeSample(language, url, key));
}

export const composeCurlCommand = (url: string, key: SampleKey): string => composeSample(curl, url, key).code;

function composeSample(
  { language, name, fromEnvironment, quote, compose }: SampleLanguage,
  url: string,
  key: SampleKey,
): CodeSample {
  const authorization =
    key === 'none' ? undefined : key === 'environment' ? fromEnvironment : quote(`Bearer ${key.literal}`);
  return { language, name, code: compose(url, authorization) };
}
