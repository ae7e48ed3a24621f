/**
 * What files of answers mean: those of LimeSurvey in every language that it ships, and those of forms. Sections without a case:
 * - cancelled: a survey that is called off has no file of answers.
 * - withdrawn: a person who withdraws their answers has them deleted, so that the next export lacks the row. An active survey then
 *   has fewer answers than are published, which `survey-updates.test.ts` shows.
 * - deleted: no export has deleted answers, or a mark for them.
 */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { limeSurveyHeadings } from '../../src/ingest/formats/survey-responses/limesurvey-words.ts';
import { header as exportHeader, lss, responses } from '../formats/limesurvey-export.ts';
import { createSurveyHarness, importResponses } from '../formats/survey-harness.ts';
import { runCli } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { buildXlsx, toXlsxRows } from '../support/spreadsheet-builder.ts';

const { harness, store } = await createSurveyHarness({ after });
const { workspace } = harness;
const format = 'survey-rows';

let files = 0;
function write(content: string | Buffer, name = 'results.csv'): string {
  files += 1;
  // The harness numbers its files, too, while another test runs.
  return workspace.writeFile(`written-${files}-${name}`, content);
}

const detect = async (...paths: string[]) => (await runCli(['import', 'detect', ...paths])).stdout;
const suggest = async (path: string) => (await runCli(['import', 'table', path, '--suggest'])).stdout;

const importSurvey = (content: string | Buffer, flags: string[] = [], name?: string) =>
  importResponses(harness, store, content, [...flags, '--publish-unanimous'], name);

const rowsOf = (count: number, create: (n: number) => string[]) =>
  Array.from({ length: count }, (_, n) => create(n));

/** LimeSurvey's columns in the order id, submitdate, lastpage, startlanguage, seed, startdate, datestamp, and yes and no. */
const languages: Record<string, string[]> = {
  German: [
    'Antwort ID',
    'Datum Abgeschickt',
    'Letzte Seite',
    'Start-Sprache',
    'Zufallsstartwert',
    'Datum gestartet',
    'Datum letzte Aktivität',
    'Ja',
    'Nein',
  ],
  English: [
    'Response ID',
    'Date submitted',
    'Last page',
    'Start language',
    'Seed',
    'Date started',
    'Date last action',
    'Yes',
    'No',
  ],
  French: [
    'ID de la réponse',
    'Date de soumission',
    'Dernière page',
    'Langue de départ',
    'Tête de série',
    'Date de lancement',
    'Date de la dernière action',
    'Oui',
    'Non',
  ],
  Spanish: [
    'ID de respuesta',
    'Fecha de envío',
    'Última página',
    'Lenguaje inicial',
    'Semilla',
    'Fecha de inicio',
    'Fecha de la última acción',
    'Sí',
    'No',
  ],
  Dutch: [
    'Respons ID',
    'Datum verzonden',
    'Laatste pagina',
    'Start taal',
    'Plaats',
    'Startdatum',
    'Datum laatste actie',
    'Ja',
    'Nee',
  ],
  Polish: [
    'ID odpowiedzi',
    'Data wysłania',
    'Ostatnia strona',
    'Język początkowy',
    'Nasienie',
    'Data rozpoczęcia',
    'Data ostatniej akcji',
    'Tak',
    'Nie',
  ],
  Turkish: [
    'Yanıt kimliği',
    'Gönderildiği tarih',
    'Son bakılan sayfa',
    'Başlangıç dili',
    'Tohum',
    'Başlangıç tarihi',
    'Son işlem tarihi',
    'Evet',
    'Hayır',
  ],
  Italian: [
    'ID risposta',
    'Data invio',
    'Ultima pagina',
    'Lingua iniziale',
    'Seme',
    'Data di inizio',
    "Data dell'ultima azione",
    'Sì',
    'No',
  ],
  Portuguese: [
    'ID da resposta',
    'Data de submissão',
    'Última página',
    'Idioma inicial',
    'Semente',
    'Data de início',
    'Data da última ação',
    'Sim',
    'Não',
  ],
  Czech: [
    'ID odpovědi',
    'Datum odeslání',
    'Poslední strana',
    'Počáteční jazyk:',
    'Počáteční',
    'Datum začátku',
    'Datum poslední akce',
    'Ano',
    'Ne',
  ],
  Greek: [
    'ID απάντησης',
    'Ημερομηνία καταχώρησης',
    'Τελευταία σελίδα',
    'Αρχική γλώσσα',
    'Seed',
    'Ημερομηνία έναρξης',
    'Ημερομηνία τελευταίας ενέργειας',
    'Ναι',
    'Όχι',
  ],
  Russian: [
    'ID ответа',
    'Дата записи',
    'Последняя страница',
    'Начальный язык',
    'Зерно',
    'Дата начала',
    'Время последнего обращения',
    'Да',
    'Нет',
  ],
  Ukrainian: [
    'ID відповіді',
    'Дата подання',
    'Остання сторінка',
    'Початкова мова',
    'Початкове значення',
    'Дата початку',
    'Дата останньої дії',
    'Так',
    'Ні',
  ],
  Arabic: [
    'رقم الاستجابة',
    'سلم بتاريخ',
    'الصفحة الاخيرة',
    'ابدأ اللغة',
    'بذرة',
    'تاريخ البدء',
    'تاريخ آخر عمل',
    'نعم',
    'لا',
  ],
  Japanese: [
    '回答ID',
    '回答完了日時',
    '最終ページ',
    '開始言語',
    'シード',
    '開始日時',
    '最終行動日時',
    'はい',
    'いいえ',
  ],
};

/** 60 responses, of which every tenth is unfinished. */
function createExport(
  [id, submitted, page, language, seed, started, last, yes, no]: string[],
  delimiter = ',',
): string {
  const header = [id, submitted, page, language, seed, started, last, 'Q [Bus]', 'Q [Rad]', 'R'] as string[];
  const rows = rowsOf(60, (n) => [
    String(n + 1),
    n % 10 === 9 ? '' : `2026-02-${String((n % 28) + 1).padStart(2, '0')} 10:00:00`,
    '3',
    'de',
    String(1_000_003 * (n + 1)),
    '2026-02-01 10:00:00',
    '2026-02-01 10:10:00',
    (n % 2 === 0 ? yes : no) as string,
    (n % 3 === 0 ? yes : no) as string,
    n % 2 === 0 ? 'Mehr Busse am Abend' : '',
  ]);
  return toCsv(delimiter, [header, ...rows]);
}

const expected = [
  ['Q', 'multiple_choice', { Bus: 30, Rad: 18 }],
  ['R', 'single_choice', { 'Mehr Busse am Abend': 30 }],
];

suite('an export of LimeSurvey with full texts', { concurrency: 2 }, () => {
  test('is recognised in each language, and never drafted as submissions', async () => {
    const paths = Object.values(languages).map((words) => write(createExport(words)));
    const stdout = await detect(...paths);
    assert.equal(
      stdout.match(/survey-rows: it has the columns of LimeSurvey responses/g)?.length,
      paths.length,
      stdout,
    );
    for (const path of paths) {
      const draft = await suggest(path);
      assert.match(
        draft,
        /CHECK: nothing is mapped, because these seem to be single answers to a survey/,
        path,
      );
      assert.match(draft, /^submission: \{\}$/m);
    }
  });

  for (const [language, words] of Object.entries(languages))
    test(`counts finished responses and ticks only, in ${language}`, async () => {
      const { totalResponses, questions, notes } = await importSurvey(createExport(words));
      assert.deepEqual([totalResponses, questions], [54, expected]);
      assert.match(notes, /6 unfinished responses are not counted\. --incomplete counts them/);
    });

  test('means the same with other delimiters, in a workbook, and with codes, underscores or cut headings', async () => {
    const german = languages.German as string[];
    const table = createExport(german)
      .split('\r\n')
      .filter(Boolean)
      .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));
    const withHeader = (change: (heading: string, index: number) => string) => {
      const [header = [], ...rows] = table;
      return toCsv(',', [header.map(change), ...rows]);
    };
    const codes = ['id', 'submitdate', 'lastpage', 'startlanguage', 'seed', 'startdate', 'datestamp'];
    const files: [content: string | Buffer, name?: string][] = [
      [createExport(german, ';')],
      [`\uFEFF${createExport(german, '\t')}`, 'results.tsv'],
      [buildXlsx([{ name: 'Worksheet', rows: toXlsxRows(table) }]), 'results.xlsx'],
      [withHeader((heading, index) => codes[index] ?? heading)],
      [withHeader((heading, index) => (codes[index] ? `${codes[index]}. ${heading}` : heading))],
      [withHeader((heading) => heading.replaceAll(/ (?!\[)/g, '_'))],
      [withHeader((heading) => (heading.length > 15 ? `${heading.slice(0, 15)}.. ` : heading))],
    ];
    for (const [content, name] of files) {
      const path = write(content, name);
      assert.match(await detect(path), /LimeSurvey responses/, path);
      const { totalResponses, questions } = await importSurvey(content, [], name);
      assert.deepEqual([totalResponses, questions], [54, expected], path);
    }
  });

  test('has no question among the columns of LimeSurvey, in none of its languages', async () => {
    const times = [
      'Gruppenzeit: Ein langer Name einer Gruppe von Fragen, wie sie in Umfragen vorkommt, auch hier',
      'Q01Time',
    ];
    const header = [...new Set(Object.values(limeSurveyHeadings).flat()), ...times, 'Q01 [filecount]'];
    assert.ok(header.length > 600);
    const content = toCsv(',', [
      [...header, 'Q01'],
      ...rowsOf(20, (n) => [...header.map(() => '1'), n < 10 ? 'a' : 'b']),
    ]);
    assert.deepEqual((await importSurvey(content)).questions, [['Q01', 'single_choice', { a: 10, b: 10 }]]);
  });

  test('is never drafted from the JSON of LimeSurvey either', async () => {
    const answers = (names: string[]) => Object.fromEntries(names.map((name, n) => [name, `Text ${n}`]));
    const german = answers([...(languages.German as string[]).slice(0, 4), 'Was noch?']);
    const codes = answers(['id', 'submitdate', 'lastpage', 'startlanguage', 'G01Q01']);
    for (const responses of [
      [german, german],
      [{ 1: codes }, { 2: codes }],
    ]) {
      const path = write(JSON.stringify({ responses }), 'results.json');
      assert.match(await suggest(path), /^submission: \{\}$/m);
    }
  });

  test('has the same counts by its structure, with the answers of another language', async () => {
    const spanish: Record<string, string> = {
      Y: 'Sí',
      N: 'No',
      A1: 'gut',
      A2: 'schlecht',
      x: 'Radweg',
      y: 'Gehweg',
      '-oth-': 'Otro',
    };
    const answers = responses.map((row) =>
      row.map((cell, index) =>
        index === 3 ? ({ 1: '2', 2: '1' }[cell] ?? spanish[cell] ?? cell) : (spanish[cell] ?? cell),
      ),
    );
    const structure = ['--structure', workspace.writeFile('structure.lss', lss)];
    const texts = exportHeader
      .map((code) => `Text ${code}`)
      .with(0, 'ID de respuesta')
      .with(1, 'Fecha de envío');
    const byCodes = await importSurvey(toCsv(',', [exportHeader, ...responses]), structure);
    const byTexts = await importSurvey(toCsv(',', [texts, exportHeader, ...answers]), structure);
    assert.equal(byCodes.totalResponses, 100);
    assert.deepEqual(byTexts.questions, byCodes.questions);
  });

  test('is recognised without the columns of LimeSurvey, by its questions', async () => {
    const answers = rowsOf(30, (n) => [
      ['gut', 'schlecht'][n % 2] as string,
      n % 3 ? 'Ja' : 'Nein',
      n % 4 ? '' : `Text ${n}`,
    ]);
    const headers = [
      ['Wie zufrieden sind Sie?', 'Was nutzen Sie? [Bus]', 'Was möchten Sie uns noch sagen?'],
      ['1. Zufriedenheit', '2. Bus', '3. Anmerkung'],
      ['G01Q01', 'G01Q02', 'G02Q03'],
      ['Zufriedenheit', 'Fährt Bus', 'Anmerkungen'],
      ['Bewertung [Parks]', 'Bewertung [Wege]', 'Kommentar', 'ID', 'Beruflicher Status'],
      ['Wie zufrieden sind Sie?', 'Nutzen Sie den Bus?', 'Kommentar', 'ID'],
      ['Alter', 'Stadtteil', 'Kommentar', 'Antwort ID'],
      ['Alter', 'Stadtteil', 'Kommentar', 'Datum Abgeschickt'],
    ];
    for (const header of headers) {
      const rows = answers.map((row, n) =>
        [...row, String(n), n % 2 ? 'tätig' : 'in Rente'].slice(0, header.length),
      );
      const path = write(toCsv(';', [header, ...rows]));
      assert.match(await detect(path), /survey-rows: its columns are questions/, String(header));
      assert.match(await suggest(path), /^submission: \{\}$/m);
    }
  });
});

suite('answers from other systems', () => {
  const headers: Record<string, string[]> = {
    'Google Forms': ['Horodateur', 'Comment allez-vous ?', 'Remarques'],
    'Microsoft Forms': [
      'ID',
      'Startzeit',
      'Fertigstellungszeit',
      'E-Mail',
      'Name',
      'Wie geht es Ihnen?',
      'Anmerkungen',
    ],
    SurveyMonkey: [
      'Respondent ID',
      'Collector ID',
      'Date Created',
      'Date Modified',
      'IP Address',
      'How are you?',
      'Comments',
    ],
    Typeform: ['#', 'How are you?', 'Description', 'Start Date (UTC)', 'Submit Date (UTC)', 'Network ID'],
    Qualtrics: [
      'StartDate',
      'EndDate',
      'Status',
      'IPAddress',
      'Progress',
      'Finished',
      'RecordedDate',
      'ResponseId',
      'Q1',
      'Comment',
    ],
    'SoSci Survey': ['CASE', 'SERIAL', 'QUESTNNR', 'MODE', 'STARTED', 'A101', 'A102_01'],
    Decidim: ['ID', 'Answered on', 'IP Hash', 'User status', '1. How are you?', '2. Comment'],
    'Nextcloud Forms': ['User ID', 'User display name', 'Timestamp', 'How are you?', 'Comment'],
  };

  test('are recognised, and never drafted as submissions', async () => {
    for (const [system, header] of Object.entries(headers)) {
      const rows = rowsOf(12, (n) =>
        header.map((_, column) => (column === 0 ? `2026-02-${10 + n}` : `Antwort ${n % 3}`)),
      );
      const path = write(toCsv(',', [header, ...rows]));
      assert.match(await detect(path), /^ {2}survey-rows: /m, system);
      assert.match(await suggest(path), /^submission: \{\}$/m, system);
    }
  });

  test('differ from records with identifiers, titles, dates, quarters and figures', async () => {
    const tables = [
      ['Timestamp', 'id', 'title', 'status'],
      ['Zeitstempel', 'Titel', 'Beschreibung'],
      ['Nr.', 'Eingangsdatum', 'Betreff', 'Status', 'Was ist das Problem?'],
      ['Projekt', 'Q1', 'Q2', 'Q3', 'Q4'],
      ['id', 'submitdate', 'status', 'title'],
      ['id', 'description', 'category'],
      ['ApplicationNumber', 'SubmitDate', 'StartDate', 'Status'],
      ['Sitzung', 'Heure de début', 'Heure de fin', 'Lieu'],
      ['ID', 'Titel', 'Stimmen [online]', 'Stimmen [Papier]'],
      ['ID', 'Kategorie', 'Fecha de envío', 'Fecha de inicio', 'Descripción'],
    ];
    for (const header of tables) {
      const rows = rowsOf(30, (n) =>
        header.map((heading) => (/status/i.test(heading) ? 'offen' : `${heading} ${17 * n + 11}`)),
      );
      const stdout = await detect(write(toCsv(',', [header, ...rows])));
      assert.match(stdout, /^ {2}table: /m, String(header));
      assert.doesNotMatch(stdout, /survey-rows/, String(header));
    }
    const counts = toCsv('\t', [
      ['Alter', 'Zufrieden?', 'Fährt Rad?'],
      ['18–29', '40', '60'],
      ['30–64', '70', '12'],
    ]);
    assert.match(
      await detect(write(counts, 'counts.tsv')),
      /^ {2}survey-table: its cells are counts[^\n]*\n$/m,
    );
  });
});

suite('private', () => {
  test('columns about the person are never questions, whatever their language', async () => {
    const header = [
      'Respons ID',
      'Datum verzonden',
      'IP Adres',
      'Verwijzer URL',
      'Toegangscode',
      'Voornaam',
      'Achternaam',
      'E-mailadres',
      'Bent u tevreden?',
    ];
    const rows = rowsOf(40, (n) => [
      ...[
        String(n),
        '2026-02-01',
        '192.0.2.1',
        'https://a.example',
        'abc',
        'Jan',
        'Jansen',
        'jan@example.org',
      ],
      n % 2 ? 'Ja' : 'Nee',
    ]);
    const { questions, notes } = await importSurvey(toCsv(';', [header, ...rows]));
    assert.deepEqual(questions, [['Bent u tevreden?', 'single_choice', { Ja: 20, Nee: 20 }]]);
    assert.match(notes, /Skipped columns about the person or the time: Respons ID, .*E-mailadres\./);
  });

  test('a column about the person is no question if its heading occurs twice', async () => {
    const header = ['Zeitstempel', 'Name', 'Name', 'Wie oft?'];
    const rows = rowsOf(40, (n) => ['2026-02-01', 'Eva', 'Adam', n % 2 ? 'oft' : 'nie']);
    assert.deepEqual((await importSurvey(toCsv(',', [header, ...rows]))).questions, [
      ['Wie oft?', 'single_choice', { nie: 20, oft: 20 }],
    ]);
  });

  test('own words beside options are counted, and never read', async () => {
    const header = ['Response ID', 'Date submitted', 'Use [Bus]', 'Use [Other]', 'Why?', 'Why? [Comment]'];
    const rows = rowsOf(40, (n) => [
      String(n),
      '2026-02-01',
      n < 20 ? 'Yes' : 'No',
      n < 15 ? 'My wife Eve drives' : '',
      n < 20 ? 'a' : 'b',
      'I am Adam',
    ]);
    const { questions } = await importSurvey(toCsv(',', [header, ...rows]));
    assert.deepEqual(questions, [
      ['Use', 'multiple_choice', { Bus: 20, Other: 15 }],
      ['Why?', 'single_choice', { a: 20, b: 20 }],
    ]);
  });

  test('the answers of the first person are never published as questions, if the headings are missing', async () => {
    const rows = rowsOf(40, (n) => [n % 2 ? 'Ja' : 'Nein', n % 3 ? 'oft' : 'nie', n % 4 ? `Text ${n}` : '']);
    const town = await harness.createMunicipality();
    const { code, stderr } = await harness.importContent(town, toCsv(';', rows), {
      format,
      name: 'results.csv',
    });
    assert.equal(code, 1);
    assert.match(stderr, /results\.csv seems to lack a first line of headings/);
  });
});

suite('draft', () => {
  for (const missing of ['', 'N/A', 'NULL', '0000-00-00 00:00:00', '{question_not_shown}'])
    test(`a response whose date of submission is ${JSON.stringify(missing)} is unfinished`, async () => {
      const rows = rowsOf(40, (n) => [
        String(n),
        n < 30 ? '1980-01-01 00:00:00' : missing,
        n % 2 ? 'x' : 'z',
      ]);
      const content = toCsv(',', [['id', 'submitdate', 'Mode of travel'], ...rows]);
      assert.equal((await importSurvey(content)).totalResponses, 30);
      assert.equal((await importSurvey(content, ['--incomplete'])).totalResponses, 40);
    });

  test('responses that Qualtrics, Typeform, Unipark and Alchemer mark as unfinished are not counted', async () => {
    const qualtrics = toCsv(',', [
      ['StartDate', 'Finished', 'RecordedDate', 'ResponseId', 'How are you?'],
      ...rowsOf(40, (n) => [
        '2026-02-01',
        n < 30 ? 'True' : 'False',
        '2026-02-01',
        `R_${n}`,
        n % 2 ? 'x' : 'z',
      ]),
    ]);
    const typeform = toCsv(',', [
      ['#', 'How are you?', 'Response Type', 'Start Date (UTC)', 'Submit Date (UTC)'],
      ...rowsOf(40, (n) => [
        `r${n}`,
        n % 2 ? 'x' : 'z',
        n < 30 ? 'completed' : 'partial',
        '2026-02-01',
        '2026-02-01',
      ]),
    ]);
    const unipark = toCsv(',', [
      ['lfdn', 'dispcode', 'How are you?'],
      ...rowsOf(40, (n) => [String(n), n < 30 ? '31' : '22', n % 2 ? 'x' : 'z']),
    ]);
    const alchemer = toCsv(',', [
      ['Response ID', 'Status', 'Legacy Comments', 'Country', 'How are you?'],
      ...rowsOf(40, (n) => [String(n), n < 30 ? 'Complete' : 'Partial', '', 'Germany', n % 2 ? 'x' : 'z']),
    ]);
    for (const content of [qualtrics, typeform, unipark, alchemer]) {
      const { totalResponses, questions } = await importSurvey(content);
      assert.deepEqual(
        [totalResponses, questions],
        [30, [['How are you?', 'single_choice', { x: 15, z: 15 }]]],
      );
    }
  });
});

test('responses that their system marks as tests, deleted or rejected are not counted, with --incomplete either', async () => {
  const headers = {
    'StartDate,Status,RecordedDate,ResponseId,How are you?': ['Survey Preview', '1', 'Survey Test', '17'],
    'CASE,MODE,QUESTNNR,STARTED,How are you?': ['pretest', 'Pretest', 'debug', 'admin'],
    'lfdn,tester,dispcode,datetime,How are you?': ['1', ' 1', '1', '1'],
    'Response ID,Status,Legacy Comments,City,How are you?': ['Deleted', 'Disqualified', 'deleted', 'Deleted'],
    'SubmissionDate,ReviewState,SubmitterID,KEY,How are you?': [
      'rejected',
      'rejected',
      'rejected',
      'rejected',
    ],
    '_uuid,_validation_status,_submission_time,_index,How are you?': [
      ...['validation_status_not_approved', 'Not Approved', 'not approved'],
      'validation_status_not_approved',
    ],
  };
  const real = {
    ReviewState: ['', 'approved', 'hasIssues', 'edited'],
    _validation_status: ['', 'validation_status_approved', 'On Hold'],
    Status: ['IP Address', '0', 'Spam', 'Imported'],
    MODE: ['interview'],
    tester: ['0', ''],
  };
  for (const [header, tests] of Object.entries(headers)) {
    const [, column = ''] = header.split(',');
    const words = real[column as keyof typeof real];
    const rows = rowsOf(40, (n) => [
      ...[String(n), (n < 36 ? words[n % words.length] : tests[n - 36]) ?? '', '31', `R_${n}`],
      n % 2 ? 'x' : 'z',
    ]);
    for (const flags of [[], ['--incomplete']]) {
      const { totalResponses, questions, notes } = await importSurvey(
        toCsv(',', [header.split(','), ...rows]),
        flags,
      );
      assert.equal(totalResponses, 36, header);
      assert.equal(questions.length, 1, header);
      assert.match(notes, /4 responses are not counted: marked as a draft, a test, deleted or rejected\./);
    }
  }
});

// "Always hide this question": it takes data of the address or the invitation, such as a department.
test('a question that LimeSurvey hides from respondents is left out and noted, unless the user names it', async () => {
  const attributes = (value: string) =>
    `<question_attributes><fields/><rows><row><qid>5</qid><attribute>hidden</attribute><value>${value}</value></row></rows></question_attributes></document>`;
  const header = 'class\ttype/scale\tname\trelevance\ttext\tlanguage\tother\thidden';
  const tabular = [
    'Q\tY\tbeen\t1\tSchon hier?\tde\tN\t1',
    'Q\tL\toften\t1\tWie oft?\tde\tN\t',
    'A\t0\t1\t\t2\tde\t\t',
    'A\t0\t2\t\t1\tde\t\t',
  ];
  const hidden = {
    'hidden.lss': lss.replace('</document>', attributes('1')),
    'hidden.txt': [header, ...tabular].join('\n'),
  };
  const content = toCsv(',', [exportHeader, ...responses]);
  const isShown = ([text]: unknown[]) => /hier\?/.test(String(text));
  for (const [name, structure] of Object.entries(hidden)) {
    const flags = ['--structure', workspace.writeFile(name, structure)];
    const { questions, notes } = await importSurvey(content, flags);
    assert.ok(questions.length > 0, name);
    assert.ok(!questions.some(isShown), name);
    assert.match(notes, /hides them from respondents: been\./);
    const named = await importSurvey(content, [...flags, '--questions', 'been']);
    assert.ok(named.questions.some(isShown), name);
    assert.doesNotMatch(named.notes, /hides them/);
  }
  const shown = workspace.writeFile('shown.lss', lss.replace('</document>', attributes('0')));
  const { questions, notes } = await importSurvey(content, ['--structure', shown]);
  assert.ok(questions.some(isShown));
  assert.doesNotMatch(notes, /hides them/);
});

test('the option for own words has the text of the questionnaire', async () => {
  const attribute = (language: string, value: string) =>
    `<row><qid>1</qid><attribute>other_replace_text</attribute><value>${value}</value><language>${language}</language></row>`;
  const rows = `${attribute('en', 'Something else')}${attribute('de', 'Anders &amp; selten')}`;
  const section = `<question_attributes><fields/><rows>${rows}</rows></question_attributes></document>`;
  const header = 'class\ttype/scale\tname\trelevance\ttext\tlanguage\tother\tother_replace_text';
  const tabular = [
    'Q\tL\toften\t1\tWie oft?\tde\tY\tAnders &amp; selten',
    'A\t0\t1\t\t2\tde\t\t',
    'A\t0\t2\t\t1\tde\t\t',
  ];
  const whole = responses.map((row) => row.map((cell) => (cell === '-oth-' ? 'Anders & selten' : cell)));
  for (const [name, structure] of Object.entries({
    'other.lss': lss.replace('</document>', section),
    'other.txt': [header, ...tabular].join('\n'),
  }))
    for (const answers of [responses, whole]) {
      const flags = ['--structure', workspace.writeFile(name, structure), '--questions', 'often'];
      const { questions } = await importSurvey(toCsv(',', [exportHeader, ...answers]), flags);
      const [[, , options] = []] = questions;
      assert.equal((options as Record<string, number>)['Anders & selten'], 12, name);
    }
});

// Drupal writes "Is draft", and Alchemer's API "is_test_data".
test('responses that a column of any system marks as drafts, tests, deleted or spam are not counted', async () => {
  for (const [heading, marked, unmarked] of [
    ['Is draft', 'Yes', 'No'],
    ['in_draft', '1', '0'],
    ['is_test_data', 'true', 'false'],
    ['deletedAt', '2026-02-01T10:00:00Z', ''],
    ['Gelöscht am', '01.02.2026', ''],
    ['is_spam', 'TRUE', 'FALSE'],
    ['Draft', '1', '0'],
    ['webform_draft', '1', '0'],
    ['Entwurf', 'ja', 'nein'],
    ['Brouillon', 'Oui', 'Non'],
    ['Spam', 'spam', ''],
    ['Deleted', '2026-02-01 10:00:00+01', ''],
    ['Vorschau', 'x', ''],
    ['Testmodus', 'true', 'false'],
  ] as const) {
    const rows = rowsOf(40, (n) => [n < 36 ? unmarked : marked, n % 2 ? 'x' : 'z']);
    const { totalResponses, questions, notes } = await importSurvey(
      toCsv(',', [[heading, 'How are you?'], ...rows]),
    );
    assert.deepEqual(
      [totalResponses, questions],
      [36, [['How are you?', 'single_choice', { x: 18, z: 18 }]]],
      heading,
    );
    assert.match(notes, /4 responses are not counted/);
  }
  for (const heading of ['Test', 'Draft beer', 'Is the draft clear?']) {
    const rows = rowsOf(40, (n) => [n < 20 ? 'yes' : 'no', n % 2 ? 'x' : 'z']);
    const { totalResponses, questions } = await importSurvey(
      toCsv(',', [[heading, 'How are you?'], ...rows]),
    );
    assert.deepEqual([totalResponses, questions.length], [40, 2], heading);
  }
  const designs = rowsOf(40, (n) => [n % 2 ? 'gut' : 'schlecht', n % 2 ? 'x' : 'z']);
  const { totalResponses } = await importSurvey(toCsv(',', [['Entwurf', 'Wie oft?'], ...designs]));
  assert.equal(totalResponses, 40);
});

test('a column with states of responses is noted, because its responses are counted', async () => {
  for (const [heading, doubtful, other, count] of [
    ['Test', 'ja', 'nein', 12],
    ['Status', 'abgebrochen', 'abgeschlossen', 12],
    ['Response Status', 'Partial', 'Complete', 12],
    ['Vollständig', 'nein', 'ja', 12],
    ['Duplicate', 'yes', '', 12],
    ['Status', 'berufstätig', 'in Rente', 0],
    ['Status', 'completed', 'completed', 0],
    ['Test bestanden?', 'ja', 'nein', 0],
  ] as const) {
    const rows = rowsOf(40, (n) => [n < 12 ? doubtful : other, n % 2 ? 'x' : 'z']);
    const { totalResponses, notes } = await importSurvey(toCsv(',', [[heading, 'How are you?'], ...rows]));
    assert.equal(totalResponses, 40, heading);
    const note = `The column "${heading}" may say which responses count: ${count} responses have "${doubtful}". They are counted: remove them`;
    assert.equal(notes.includes(note), count > 0, notes);
    assert.equal(notes.includes('may say which'), count > 0, notes);
  }
});

test('own words are never options, whatever the heading of their column', async () => {
  const words = (n: number) => (n % 5 < 2 ? (n % 2 ? 'ask Anna Weber' : 'my horse') : '');
  const ticks = (n: number) => [n % 2 ? 'Bus' : '', n % 3 ? 'Bike' : ''];
  const other = ['Other (please specify)', 'Sonstiges (bitte angeben)', 'Autre (veuillez préciser)'];
  for (const item of other) {
    const monkey = [
      ['Respondent ID', 'Collector ID', 'What?', '', ''],
      ['', '', 'Bus', 'Bike', item],
    ];
    const { questions } = await importSurvey(
      toCsv(',', [...monkey, ...rowsOf(60, (n) => [String(n), '1', ...ticks(n), words(n)])]),
    );
    assert.deepEqual(questions, [['What?', 'multiple_choice', { Bus: 30, Bike: 40 }]], item);
  }
  const typeform = ['#', 'Bus', 'Other', 'Start Date (UTC)', 'Submit Date (UTC)'];
  const { questions } = await importSurvey(
    toCsv(',', [
      typeform,
      ...rowsOf(60, (n) => [`r${n}`, n % 2 ? 'Bus' : 'Tram', words(n), '2026-02-01', '2026-02-01']),
    ]),
  );
  assert.deepEqual(questions, [
    ['Bus', 'single_choice', { Bus: 30, Tram: 30 }],
    ['Other', 'text', {}],
  ]);
});

test('ticks under “Other (please specify)” are counted', async () => {
  for (const item of ['Other', 'Other (please specify)']) {
    const { questions } = await importSurvey(
      toCsv(',', [
        ['Timestamp', 'What? [Bus]', 'What? [Bike]', `What? [${item}]`],
        ...rowsOf(60, (n) => [`2026-02-01 10:${n}`, n % 2 ? 'x' : '', n % 3 ? 'x' : '', n % 4 ? 'x' : '']),
      ]),
    );
    assert.deepEqual(questions, [['What?', 'multiple_choice', { Bus: 30, Bike: 40, [item]: 45 }]]);
  }
});

test('several answers in a cell are noted, because each combination is an option', async () => {
  for (const [answers, noted] of [
    [['Bus;', 'Bus;Bike;', 'Bike;'], true],
    [['Bus', 'Bus, Bike', 'Bike, Car, private', 'Car, private'], true],
    [['Bus\nBike', 'Bus', 'Bike'], true],
    [['Yes, always', 'Yes, sometimes', 'No, never'], false],
    [['very good', 'good', 'bad'], false],
  ] as const) {
    const { notes } = await importSurvey(
      toCsv(',', [
        ['Timestamp', 'How do you travel?', 'Age?'],
        ...rowsOf(60, (n) => [
          `2026-02-01 10:${n}`,
          answers[n % answers.length] as string,
          n % 2 ? '18' : '30',
        ]),
      ]),
    );
    assert.equal(/several answers: How do you travel\?\./.test(notes), noted, answers.join(' | '));
  }
});

suite('repeated', () => {
  const answer = (n: number) => [
    String(n),
    '2026-02-01 10:00:00',
    n % 2 ? 'gut' : 'schlecht',
    n % 4 < 2 ? 'oft' : 'nie',
  ];

  test('headings are numbered, and their answers are not mixed', async () => {
    const content = toCsv(',', [['id', 'submitdate', 'Kommentar', 'Kommentar'], ...rowsOf(40, answer)]);
    const { questions, notes } = await importSurvey(content);
    assert.deepEqual(questions, [
      ['Kommentar', 'single_choice', { gut: 20, schlecht: 20 }],
      ['Kommentar (2)', 'single_choice', { nie: 20, oft: 20 }],
    ]);
    assert.match(notes, /Several columns have the same heading\. They are numbered: Kommentar \(2\)\./);
  });

  test('options of one question are numbered, too', async () => {
    const rows = rowsOf(40, (n) => [n < 25 ? 'Ja' : '', n < 15 ? 'Ja' : '']);
    const { questions } = await importSurvey(toCsv(';', [['Was? [Bus]', 'Was? [Bus]'], ...rows]));
    assert.deepEqual(questions, [['Was?', 'multiple_choice', { Bus: 25, 'Bus (2)': 15 }]]);
  });

  const codes = ['id', 'submitdate', 'Q01', 'Q02'];
  const texts = ['Antwort ID', 'Datum Abgeschickt', 'Wie war es?', 'Wie oft?'];
  const questions = [
    ['Wie war es?', 'single_choice', { gut: 20, schlecht: 20 }],
    ['Wie oft?', 'single_choice', { nie: 20, oft: 20 }],
  ];
  for (const [what, headings] of Object.entries({
    'codes and then texts': [codes, texts],
    'texts and then codes, as in VV files of LimeSurvey': [texts, codes],
  }))
    test(`a second row of headings is no response: ${what}`, async () => {
      const {
        totalResponses,
        questions: found,
        notes,
      } = await importSurvey(toCsv('\t', [...headings, ...rowsOf(40, answer)]));
      assert.deepEqual([totalResponses, found], [40, questions]);
      assert.match(notes, /The first two rows are headings/);
      assert.doesNotMatch(notes, /codes/);
    });

  test('a second row of headings is no response: no column but questions', async () => {
    const content = toCsv(',', [codes.slice(2), texts.slice(2), ...rowsOf(40, (n) => answer(n).slice(2))]);
    const { totalResponses, questions: found } = await importSurvey(content);
    assert.deepEqual([totalResponses, found], [40, questions]);
  });

  test('three rows of headings of Qualtrics, and two of SurveyMonkey, are no responses', async () => {
    const qualtrics = await importSurvey(
      toCsv(',', [
        ['StartDate', 'RecordedDate', 'ResponseId', 'Q1', 'Q2'],
        ['Start Date', 'Recorded Date', 'Response ID', 'Wie war es?', 'Wie oft?'],
        [
          '{"ImportId":"startDate"}',
          '{"ImportId":"recordedDate"}',
          '{"ImportId":"_recordId"}',
          '{"ImportId":"QID1"}',
          '{"ImportId":"QID2"}',
        ],
        ...rowsOf(40, (n) => ['2026-02-01', ...answer(n).with(0, '2026-02-01').with(1, `R_${n}`)]),
      ]),
    );
    assert.deepEqual([qualtrics.totalResponses, qualtrics.questions], [40, questions]);
    const monkey = await importSurvey(
      toCsv(',', [
        ['Respondent ID', 'Date Created', 'Wie war es?', 'Was nutzen Sie?', '', ''],
        ['', '', 'Response', 'Bus', 'Rad', 'Other (please specify)'],
        ...rowsOf(40, (n) => [
          String(n),
          '2026-02-01',
          n % 2 ? 'gut' : 'schlecht',
          n < 25 ? 'Bus' : '',
          n < 15 ? 'Rad' : '',
          n < 3 ? `mit ${n}` : '',
        ]),
      ]),
    );
    assert.deepEqual(
      [monkey.totalResponses, monkey.questions],
      [40, [questions[0], ['Was nutzen Sie?', 'multiple_choice', { Bus: 25, Rad: 15 }]]],
    );
  });
});

suite('invisible characters', () => {
  test('hide neither the columns of LimeSurvey nor the same answer', async () => {
    const header = [
      '\u200bAntwort\u00a0ID',
      'Datum\u00a0Abge\u00adschickt',
      'Letzte Seite\ufeff',
      'Wie war es?\u200b',
      'Rad [gut\u2060]',
      'Rad [ja]',
    ];
    const rows = rowsOf(40, (n) => [
      ...[String(n), n < 30 ? '2026-02-01' : '\u200b', '3', n % 2 ? 'gut' : '\u200bgut\u00ad'],
      ...(n % 2 ? ['Ja', ''] : ['Ja\u200b', '\ufeff']),
    ]);
    const path = write(toCsv(',', [header, ...rows]));
    assert.match(await detect(path), /LimeSurvey responses/);
    const { totalResponses, questions } = await importSurvey(toCsv(',', [header, ...rows]));
    assert.deepEqual(
      [totalResponses, questions],
      [
        30,
        [
          ['Wie war es?', 'single_choice', { gut: 30 }],
          ['Rad', 'multiple_choice', { gut: 30, ja: 0 }],
        ],
      ],
    );
  });
});

suite('what readers would see', () => {
  const rows = rowsOf(40, (n) => [
    String(n),
    '2026-02-01',
    n % 2 ? 'A1' : 'A2',
    n < 20 ? 'Y' : '',
    n < 20 ? '' : 'Y',
    '',
  ]);

  test('a file without a structure says before publication that it shows codes', async () => {
    const town = await harness.createMunicipality();
    const content = toCsv(',', [['id', 'submitdate', 'Q01', 'Q02[SQ001]', 'Q02[SQ002]', 'Q03'], ...rows]);
    const { counts } = await harness.importContent(town, content, { format, flags: ['--dry-run'] });
    assert.match(
      String(counts.notes),
      /Readers would see codes in place of questions and answers: “Q01”, “Q02”, “A1”, “A2”, “SQ001”, “SQ002”\. Add the structure with --structure/,
    );
    assert.deepEqual(await store.listSurveys(town.id), []);
  });

  test('cells of LimeSurvey for a missing answer are no answers, but may be in another table', async () => {
    const rows = rowsOf(40, (n) => [
      String(n),
      '2026-02-01',
      n < 20 ? 'Yes' : 'N/A',
      n < 15 ? 'a' : '{question_not_shown}',
    ]);
    const limeSurvey = toCsv(',', [['Response ID', 'Date submitted', 'Member?', 'Since when?'], ...rows]);
    assert.deepEqual((await importSurvey(limeSurvey)).questions, [
      ['Member?', 'single_choice', { Yes: 20 }],
      ['Since when?', 'single_choice', { a: 15 }],
    ]);
    const other = toCsv(',', [['Timestamp', 'Member?'], ...rows.map((row) => row.slice(1, 3))]);
    assert.deepEqual((await importSurvey(other)).questions, [
      ['Member?', 'single_choice', { 'N/A': 20, Yes: 20 }],
    ]);
  });

  test('a text between the questions is none, and a question that nobody answered is one', async () => {
    const header = ['Response ID', 'Date submitted', 'How?', 'Use [Bus]', 'Use [Bike]', 'Part 2: Your town'];
    const { questions, notes } = await importSurvey(toCsv(',', [header, ...rows]));
    assert.deepEqual(
      questions.map(([text]) => text),
      ['How?', 'Use'],
    );
    assert.match(
      notes,
      /Not published, because nobody answered them, as with the headings of pages: Part 2: Your town\./,
    );
    const asked = await importSurvey(toCsv(',', [header.with(5, 'Anything else?'), ...rows]));
    assert.deepEqual(asked.questions.at(-1), ['Anything else?', 'text', {}]);
  });

  test('a row of an array that nobody answered does not make ticks of the others', async () => {
    const header = ['Response ID', 'Date submitted', 'Happy [Parks]', 'Happy [Roads]', 'Happy [Pools]'];
    const content = toCsv(',', [
      header,
      ...rowsOf(40, (n) => [String(n), '2026-02-01', n % 2 ? 'Yes' : 'No', n % 2 ? 'Uncertain' : 'No', '']),
    ]);
    assert.deepEqual((await importSurvey(content)).questions, [
      ['Happy – Parks', 'matrix', { No: 20, Yes: 20 }],
      ['Happy – Roads', 'matrix', { No: 20, Uncertain: 20 }],
      ['Happy – Pools', 'text', {}],
    ]);
  });

  test('ranks have the type of ranks, so that they are protected together', async () => {
    const header = ['Antwort ID', 'Datum Abgeschickt', 'Wichtig? [Rang 1]', 'Wichtig? [Rang 2]'];
    const content = toCsv(',', [
      header,
      ...rowsOf(40, (n) => [String(n), '2026-02-01', n < 15 ? 'Bus' : 'Rad', n < 15 ? 'Rad' : 'Bus']),
    ]);
    assert.deepEqual((await importSurvey(content)).questions, [
      ['Wichtig? – Rang 1', 'ranking', { Bus: 15, Rad: 25 }],
      ['Wichtig? – Rang 2', 'ranking', { Bus: 25, Rad: 15 }],
    ]);
  });
});
