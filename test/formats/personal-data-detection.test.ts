/** Measures the detection of personal data on the labelled sentences of personal-data-sample.txt. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { toNdjson } from '../support/files.ts';
import { createImportHarness, listDescriptions } from '../support/import-harness.ts';
import { createSubmission } from '../support/records.ts';

const harness = await createImportHarness({ after });

/** Doubtful cases stay, so precision comes first. docs/importing/redaction.md has the measured values. */
const minimums: Record<string, { precision: number; recall: number }> = {
  email: { precision: 1, recall: 1 },
  phone: { precision: 1, recall: 0.98 },
  iban: { precision: 1, recall: 1 },
  plate: { precision: 1, recall: 1 },
  address: { precision: 0.96, recall: 0.97 },
};

const placeholders: Record<string, string> = {
  email: '[E-Mail]',
  phone: '[Telefon]',
  iban: '[IBAN]',
  plate: '[Kennzeichen]',
  address: '[Adresse]',
};

interface Sentence {
  country: string;
  text: string;
  labels: {
    kind: string /** The placeholder with some characters before and after it. */;
    expected: string;
  }[];
}

const label = /⟦(\w+):(.+?)⟧/gu;

function parseSentence(line: string): Sentence {
  const [country = '', marked = ''] = line.split('\t');
  const published = marked.replace(label, (_, kind) => placeholders[kind] ?? assert.fail(kind));
  let offset = 0;
  const labels = Array.from(marked.matchAll(label), ({ 0: whole, 1: kind = '', index }) => {
    const placeholder = placeholders[kind] ?? '';
    const start = index + offset;
    offset += placeholder.length - whole.length;
    return { kind, expected: published.slice(Math.max(0, start - 5), start + placeholder.length + 5) };
  });
  return { country, text: marked.replace(label, '$2'), labels };
}

const sentences = readFileSync(new URL('personal-data-sample.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map(parseSentence);

/** @returns the published texts in the order of the sentences */
async function redact(country: string, texts: readonly string[]): Promise<string[]> {
  const town = await harness.createMunicipality();
  const records = texts.map((description, n) => ({
    kind: 'submission',
    ...createSubmission(n, { description, referenceNumber: `${n}` }),
  }));
  await harness.importContent(town, toNdjson(records), {
    flags: ['--redact', 'all,address', '--redact-country', country],
  });
  return listDescriptions(harness, town);
}

const countOf = (text: string, part: string) => text.split(part).length - 1;

test('the detection of each kind of personal data is as precise and complete as documented', async (t) => {
  assert.ok(sentences.length > 400);
  const counts = new Map(Object.keys(minimums).map((kind) => [kind, { labels: 0, found: 0, right: 0 }]));
  for (const [country, own] of Object.entries(Object.groupBy(sentences, (each) => each.country))) {
    const texts = await redact(
      country,
      (own ?? []).map(({ text }) => text),
    );
    for (const [index, { labels }] of (own ?? []).entries()) {
      const published = texts[index] ?? '';
      for (const [kind, count] of counts) {
        const ofKind = labels.filter((each) => each.kind === kind);
        count.labels += ofKind.length;
        count.right += ofKind.filter(({ expected }) => published.includes(expected)).length;
        count.found += countOf(published, placeholders[kind] ?? '');
      }
    }
  }
  for (const [kind, { labels, found, right }] of counts) {
    const precision = right / found;
    const recall = right / labels;
    t.diagnostic(`${kind}: ${labels} labels, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
    const { precision: minPrecision = 1, recall: minRecall = 1 } = minimums[kind] ?? {};
    assert.ok(precision >= minPrecision, `precision of ${kind}: ${precision}`);
    assert.ok(recall >= minRecall, `recall of ${kind}: ${recall}`);
  }
});
