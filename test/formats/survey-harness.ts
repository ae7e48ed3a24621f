/** Imports of surveys, and their published results in a short form for comparisons. */
import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/store.ts';
import { openStore } from '../../src/store/open.ts';
import type { Municipality } from '../support/cli-workspace.ts';
import { storeDefaults } from '../support/database.ts';
import type { Scope } from '../support/files.ts';
import { createImportHarness, type ImportHarness } from '../support/import-harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: the answers are checked against the OpenAPI document
export type Results = any;

/** An import harness with the store that it imports into. */
export async function createSurveyHarness(scope: Scope): Promise<{ harness: ImportHarness; store: Store }> {
  const harness = await createImportHarness(scope);
  const { database } = harness.workspace;
  const store = await openStore({ ...storeDefaults, database, lockTimeoutMs: 30_000 });
  scope.after(() => store.close());
  return { harness, store };
}

/** @returns the results of the only survey of a municipality */
export async function getResults(harness: ImportHarness, store: Store, town: Municipality): Promise<Results> {
  const [survey] = await store.listSurveys(town.id);
  const { json } = await harness.get(town, `/surveys/${survey?.id}/results`);
  return json.data;
}

export interface ImportedSurvey {
  totalResponses: number;
  /** Text, type, and options with their counts. */
  questions: unknown[][];
  notes: string;
}

/** Imports responses for a new municipality, and reads the published survey. */
export async function importResponses(
  harness: ImportHarness,
  store: Store,
  content: string | Buffer,
  flags: string[] = [],
  name = 'results.csv',
): Promise<ImportedSurvey> {
  const town = await harness.createMunicipality();
  const { code, stderr, counts } = await harness.importContent(town, content, {
    format: 'survey-rows',
    flags,
    name,
  });
  assert.equal(code, 0, stderr);
  const { totalResponses, questions } = summarize(await getResults(harness, store, town));
  return { totalResponses, questions, notes: (counts.notes as unknown as string[]).join('\n') };
}

export const summarize = ({ title, status, totalResponses, questions }: Results) => ({
  title,
  status,
  totalResponses,
  questions: questions.map(({ questionText, questionType, options }: Results) => [
    questionText,
    questionType,
    Object.fromEntries(options.map(({ optionText, responseCount }: Results) => [optionText, responseCount])),
  ]),
});
