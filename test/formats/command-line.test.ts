/** Each format once through the real command line: arguments, exit code and both outputs of a process. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { newDesk, newMunicipality, runProcess } from '../support/cli-workspace.ts';
import { csv } from '../support/files.ts';
import { submission } from '../support/records.ts';

const desk = await newDesk({ after });
const { id } = await newMunicipality(desk);

const surveyOptions = ['--survey-id', 's', '--title', 'S'];

const inputs: Record<string, { content: string; name?: string; flags?: string[]; read?: number }> = {
  rostra: { content: JSON.stringify({ kind: 'submission', ...submission(1) }) },
  oparl: {
    content: JSON.stringify({
      id: 'https://council.example/papers/1',
      type: 'https://schema.oparl.org/1.1/Paper',
      paperType: 'Antrag',
      name: 'Sichere Querung',
      date: '2026-03-01',
    }),
  },
};

test.todo;
