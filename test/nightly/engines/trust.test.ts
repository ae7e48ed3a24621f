/** Each figure of `npm run trust` holds at a small size, and does not hold with its defect in the program. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engine as engineTitle } from '../../support/database.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { engines, engineTitles } from '../../trust/figure.ts';
import { runFigureProcess } from '../../trust/figure-process.ts';
import { figures } from '../../trust/figures.ts';
import { isHeld } from '../../trust/result.ts';

const engine = engines.find((name) => engineTitles[name] === engineTitle);
assert.ok(engine);

for (const figure of figures.filter(({ engines }) => engines.includes(engine))) {
  const run = async (folder: string, hasDefect: boolean) => {
    const options = { figure: figure.number, engine, folder, hasDefect, size: figure.minSize };
    const result = await runFigureProcess({ ...options, commit: 'test', maxMinutes: 20, resume: false });
    assert.ok(result);
    return result;
  };

  test(`figure ${figure.number} holds for ${figure.minSize} ${figure.unit}`, async (t) => {
    const { tally, violations, measured, done } = await run(createTemporaryFolder(t), false);
    t.diagnostic(measured ?? '');
    assert.deepEqual([...tally.failures, ...(violations ?? [])], []);
    assert.equal(done, figure.minSize);
  });

  if (figure.defect === undefined) continue;
  test(`figure ${figure.number} does not hold if ${figure.defect.description}`, async (t) => {
    const result = await run(createTemporaryFolder(t), true);
    for (const reason of [...result.tally.failures, ...(result.violations ?? [])]) t.diagnostic(reason);
    assert.equal(isHeld(result), false);
  });
}
