/** Participatory budgets in the format of pabulib.org. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails, runCli } from '../support/cli-workspace.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

const meta = [
  'key;value',
  'country;Poland',
  'unit; Wieliczka',
  'instance;2024',
  'date_begin;16.09.2023',
  'date_end;2023-10-04',
];

/** @param projects with their header; @param votes with their header */
const toPabulib = (
  projects: readonly string[],
  votes: readonly string[] = [],
  head: readonly string[] = meta,
) =>
  ['META', ...head, 'PROJECTS', ...projects, ...(votes.length > 0 ? ['VOTES', ...votes] : []), ''].join('\n');

const importPabulib = async (content: string, name = 'x.pb') => {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, content, { format: 'pabulib', name });
  return { town, result };
};

/** @returns the submissions by their reference numbers */
// biome-ignore lint/suspicious/noExplicitAny: the harness validates responses with the OpenAPI document
async function importProjects(content: string): Promise<Record<string, any>> {
  const { town, result } = await importPabulib(content);
  assert.equal(result.code, 0, result.stderr);
  const published = await harness.listAll(town, '/submissions');
  return Object.fromEntries(published.map((each) => [each.referenceNumber, each]));
}

suite('projects of a participatory budget', () => {
  test('are published with status, category, dates and their own support counts', async () => {
    const projects = await importProjects(
      toPabulib([
        'project_id;cost;votes;name;category;selected',
        '18;1000000;8640;Rowerowy Wrocław;"transport, sport";1',
        '50;1000000;10796;"Zielona obwodnica; ETAP II";;0',
        '499;1000000;3949;"""Konikowo"" - plac zabaw";parks;2',
        '500;1;0;Bench;parks;',
      ]),
    );
    const summarize = ({ description, status, topicCategoryName, supportCount }: Record<string, unknown>) => [
      description,
      status,
      topicCategoryName,
      supportCount,
    ];
    assert.deepEqual(Object.values(projects).map(summarize).toSorted(), [
      ['"Konikowo" - plac zabaw', 'accepted', 'parks', 3949],
      ['Bench', 'in_review', 'parks', 0],
      ['Rowerowy Wrocław', 'accepted', 'transport, sport', 8640],
      ['Zielona obwodnica; ETAP II', 'rejected', null, 10796],
    ]);
    const { createdAt, statusChangedAt } = projects['18'] as Record<string, string>;
    assert.match(`${createdAt} ${statusChangedAt}`, /^2023-09-1[56]T.+ 2023-10-0[34]T/);
    assert.equal(projects['500']?.statusChangedAt, projects['500']?.createdAt);
  });

  test('are counted from the votes, once for each voter and only with points, if they have no count', async () => {
    const header = 'project_id;cost;name';
    const projects = ['1;600;A', '2;800;B', '4;900;C'];
    const approved = await importProjects(
      toPabulib(
        [header, ...projects],
        ['voter_id;age;vote', '1;34;1,2', '2;51;"1, 2, 2"', '3;23;1', '4;40;'],
      ),
    );
    assert.deepEqual(
      Object.entries(approved)
        .map(([id, { supportCount }]) => [id, supportCount])
        .toSorted(),
      [
        ['1', 3],
        ['2', 2],
        ['4', 0],
      ],
    );
    const scored = await importProjects(
      toPabulib([header, ...projects], ['voter_id;vote;points', '1;1,2,4;3,0,-1', '2;1,4;1,2']),
    );
    assert.deepEqual(
      Object.entries(scored)
        .map(([id, { supportCount }]) => [id, supportCount])
        .toSorted(),
      [
        ['1', 2],
        ['2', 0],
        ['4', 1],
      ],
    );
  });

  test('are counted from votes that come before the projects, and dates behind the votes are read', async () => {
    const head = ['META', ...meta];
    const votes = ['VOTES', 'voter_id;vote', '1;"1,2"', '2;2'];
    for (const [column, counts, expected] of [
      ['', ['', ''], [1, 2]],
      [';votes', [';7', ';8'], [7, 8]],
    ] as const) {
      const projects = ['PROJECTS', `project_id;name${column}`, `1;Bench${counts[0]}`, `2;Lamp${counts[1]}`];
      for (const sections of [
        [head, votes, projects],
        [['META', 'key;value'], votes, projects, head],
        [['META', 'key;value'], projects, votes, head],
      ]) {
        const found = await importProjects(`${sections.flat().join('\n')}\n`);
        assert.deepEqual([found['1'].supportCount, found['2'].supportCount], expected);
        assert.equal(found['1'].createdAt, '2023-09-15T22:00:00.000Z');
      }
    }
  });

  test('of several votes have different ids, and a repeated import changes nothing', async () => {
    const town = await harness.createMunicipality();
    const header = 'project_id;cost;name';
    const first = toPabulib([header, '1;5;Bench']);
    const second = first.replace('instance;2024', 'instance;2025');
    const third = first.replace('unit; Wieliczka', 'unit;Wieliczka\nsubunit;North');
    for (const content of [first, second, third])
      assertCounts(await harness.importContent(town, content, { format: 'pabulib', name: 'x.pb' }), {
        inserted: 1,
      });
    assertCounts(await harness.importContent(town, first, { format: 'pabulib', name: 'x.pb' }), {
      unchanged: 1,
    });
  });

  test('are read with carriage returns, a byte order mark, delimiters after section names, and a year as date', async () => {
    const content =
      `\uFEFF${toPabulib(['project_id;cost;name', '1;5;Bench'], [], ['key;value', 'instance;2021'])}`
        .replace('META', 'META;;')
        .replaceAll('\n', '\r\n');
    const { 1: project } = await importProjects(content);
    assert.match(project.createdAt, /^20(?:20-12-31|21-01-01)T/);
  });

  test('are detected, and only the extension .pb is read from a folder', async () => {
    const file = harness.workspace.writeFile('detect.pb', toPabulib(['project_id;cost;name', '1;5;Bench']));
    const { stdout, code, stderr } = await runCli(['import', 'detect', file]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /pabulib.+it begins with a section META of keys and values/);
  });
});

suite('invalid .pb files', () => {
  test('reject single projects with the reason, and import the others', async () => {
    const { result } = await importPabulib(
      toPabulib([
        'project_id;cost;votes;name;selected',
        '1;600;5;Bench;1',
        '2;600;five;Bench;1',
        '3;600;5;;1',
        '4;600;5;Bench;yes',
        ';600;5;Bench;1',
        '6;600;5',
      ]),
    );
    assertCounts(result, { inserted: 1, rejected: 5 });
    assert.deepEqual(result.rejections.map(({ line, reason }) => [line, reason]).toSorted(), [
      [11, 'votes must be a whole number'],
      [12, 'name is missing'],
      [13, 'selected must be a whole number'],
      [14, 'id is missing'],
      [15, 'the number of its cells differs from the header'],
    ]);
  });

  test('without names of projects are rejected once', async () => {
    for (const header of ['project_id;cost;votes', 'project_id;cost;name'])
      for (const count of [1, 3]) {
        const rows = Array.from({ length: count }, (_, n) => `${n};600;`);
        const { result } = await importPabulib(toPabulib([header, ...rows]));
        assertCounts(result, { rejected: 1 });
        const expected =
          count === 1
            ? 'name is missing'
            : `none of its ${count} projects has a name: the column "name" is missing or empty`;
        assert.equal(result.rejections[0]?.reason, expected);
      }
  });

  test('reject all projects if the vote has no date, or an invalid one', async () => {
    const projects = ['project_id;cost;name', '1;600;Bench'];
    for (const [head, reason] of [
      [['key;value', 'unit;X'], 'date_begin and date_end of META are missing'],
      [['key;value', 'date_begin;in spring'], 'date_begin of META must be a date such as 16.09.2023'],
      [['key;value', 'date_begin;31.02.2023'], 'createdAt is not a valid time'],
    ] as const) {
      const { result } = await importPabulib(toPabulib(projects, [], head));
      assertCounts(result, { rejected: 1 });
      assert.equal(result.rejections[0]?.reason, reason);
    }
  });

  test('end the import with a sentence that quotes no cell', async () => {
    const wrong: [content: string, sentence: RegExp][] = [
      ['id;name\n1;SECRET\n', /is not a \.pb file: it does not begin with META/],
      ['META\nSECRET;b\n', /line 2: the section META has no column "key"/],
      [toPabulib(['SECRET;cost', '1;5']), /the section PROJECTS has no column "project_id"/],
      [
        toPabulib(['project_id;name', '1;Bench'], ['SECRET;age', '1;34']),
        /the section VOTES has no column "vote"/,
      ],
      [
        toPabulib(['project_id;name', '1;"SECRET']),
        /look for a quotation mark that is opened and never closed/,
      ],
    ];
    for (const [n, [content, sentence]] of wrong.entries()) {
      const town = await harness.createMunicipality();
      const file = harness.workspace.writeFile(`wrong-${n}.pb`, content);
      const args = harness.workspace.withDatabase('import', 'pabulib', file, '--organization', town.id);
      const output = await assertFails(args, 1, sentence);
      assert.doesNotMatch(JSON.stringify(output ?? ''), /SECRET/);
    }
  });
});
