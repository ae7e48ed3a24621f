/** A first request in several languages. Each opens in place and closes the others, without scripts. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { PageContext } from '../page-context.ts';
import { copyField } from './components.ts';

interface Sample {
  id: string;
  /** Name of the language or program, the same in every language of the pages. */
  name: string;
  code: string;
}

/** @param url of the API @param key or a placeholder */
export function listSamples(url: string, key: string): Sample[] {
  const address = `${url}/api/v1/submissions?limit=3`;
  return [
    { id: 'request', name: 'curl', code: `curl -H "Authorization: Bearer ${key}" "${address}"` },
    {
      id: 'request-javascript',
      name: 'JavaScript',
      code: `const response = await fetch('${address}', {
  headers: { Authorization: 'Bearer ${key}' },
});
if (!response.ok) throw new Error(\`HTTP \${response.status}\`);
const { data } = await response.json();
for (const { createdAt, description } of data) console.log(createdAt, description);`,
    },
    {
      id: 'request-python',
      name: 'Python',
      code: `import json
from urllib.request import Request, urlopen

request = Request("${address}", headers={"Authorization": "Bearer ${key}"})
with urlopen(request) as response:
    for submission in json.load(response)["data"]:
        print(submission["createdAt"], submission["description"])`,
    },
    {
      id: 'request-r',
      name: 'R',
      code: `library(jsonlite)
connection <- url("${address}", headers = c(Authorization = "Bearer ${key}"))
submissions <- fromJSON(connection)$data
print(submissions[c("createdAt", "description")])`,
    },
  ];
}

export function codeSamples({ text, publicUrl }: PageContext, key: string): SafeHtml {
  const samples = listSamples(publicUrl, key).map(
    (
      { id, name, code },
      index,
    ) => html`<details class="sample" name="samples"${index === 0 ? html` open` : ''}>
<summary class="kern-label">${name}</summary>
${copyField(text.newKey.requestIn(name), id, code, text.newKey.copyRequest, text.form.copied)}
</details>`,
  );
  return html`<div class="samples">${samples}</div>`;
}
