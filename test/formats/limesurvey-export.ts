/** A survey in LimeSurvey's export formats: three kinds of structure files, and a hundred finished responses. */
import { toCsv } from '../support/files.ts';

const createXml = (sections: Record<string, Record<string, string>[]>) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<document><LimeSurveyDocType>Survey</LimeSurveyDocType><languages><language>de</language><language>en</language></languages>${Object.entries(
    sections,
  )
    .map(
      ([name, rows]) =>
        `<${name}><fields/><rows>${rows
          .map(
            (row) =>
              `<row>${Object.entries(row)
                .map(([field, value]) => `<${field}><![CDATA[${value}]]></${field}>`)
                .join('')}</row>`,
          )
          .join('')}</rows></${name}>`,
    )
    .join('')}</document>`;

const createQuestion = (
  qid: string,
  gid: string,
  title: string,
  type: string,
  order: string,
  other = 'N',
) => ({
  qid,
  gid,
  title,
  type,
  other,
  question_order: order,
});
const texts: Record<string, string> = {
  1: '<p>Wie oft fahren Sie <b>Rad</b>&nbsp;&amp; Bus?</p>',
  2: 'Was nutzen Sie?',
  3: 'Wie zufrieden sind Sie?',
  4: 'Anmerkungen',
  5: 'Waren Sie schon einmal hier?',
  6: 'Reihenfolge',
  7: 'Nur ein Hinweis',
  21: 'Bus',
  22: 'Bahn',
  31: 'Wege',
  32: 'Plätze',
};

/** Since version 4. Groups and questions are in another order than in the survey. */
export const lss = createXml({
  surveys: [{ sid: '714231', language: 'de' }],
  surveys_languagesettings: [
    { surveyls_language: 'en', surveyls_title: 'Mobility' },
    { surveyls_language: 'de', surveyls_title: 'Unterwegs &amp; mobil' },
  ],
  groups: [
    { gid: '2', group_order: '2' },
    { gid: '1', group_order: '1' },
  ],
  questions: [
    createQuestion('4', '2', 'note', 'T', '2'),
    createQuestion('3', '2', 'happy', 'F', '1'),
    createQuestion('1', '1', 'often', 'L', '1', 'Y'),
    createQuestion('2', '1', 'use', 'M', '2', 'Y'),
    createQuestion('5', '2', 'been', 'Y', '3'),
    createQuestion('6', '2', 'order', 'R', '4'),
    createQuestion('7', '2', 'hint', 'X', '5'),
  ],
  subquestions: [
    { qid: '22', parent_qid: '2', title: 'SQ002', question_order: '2', scale_id: '0' },
    { qid: '21', parent_qid: '2', title: 'SQ001', question_order: '1', scale_id: '0' },
    { qid: '31', parent_qid: '3', title: 'a', question_order: '1', scale_id: '0' },
    { qid: '32', parent_qid: '3', title: 'b', question_order: '2', scale_id: '0' },
  ],
  question_l10ns: Object.entries(texts).flatMap(([qid, text]) => [
    { qid, language: 'en', question: 'English' },
    { qid, language: 'de', question: text },
  ]),
  answers: [
    // The code of each answer is the text of the other.
    { qid: '1', aid: '1', code: '1', sortorder: '1', scale_id: '0' },
    { qid: '1', aid: '2', code: '2', sortorder: '2', scale_id: '0' },
    { qid: '3', aid: '3', code: 'A1', sortorder: '1', scale_id: '0' },
    { qid: '3', aid: '4', code: 'A2', sortorder: '2', scale_id: '0' },
    { qid: '6', aid: '5', code: 'x', sortorder: '1', scale_id: '0' },
    { qid: '6', aid: '6', code: 'y', sortorder: '2', scale_id: '0' },
  ],
  answer_l10ns: [
    { aid: '1', language: 'de', answer: '2' },
    { aid: '2', language: 'de', answer: '1' },
    { aid: '3', language: 'de', answer: 'gut' },
    { aid: '4', language: 'de', answer: 'schlecht' },
    { aid: '5', language: 'de', answer: 'Radweg' },
    { aid: '6', language: 'de', answer: 'Gehweg' },
  ],
});

/** Before version 4: texts are fields of their question or answer, with a row for each language. */
export const oldLss = createXml({
  surveys: [{ sid: '714231', language: 'de' }],
  surveys_languagesettings: [{ surveyls_language: 'de', surveyls_title: 'Unterwegs & mobil' }],
  groups: [
    { gid: '1', group_order: '1', language: 'de' },
    { gid: '2', group_order: '2', language: 'de' },
  ],
  ...Object.fromEntries(
    Object.entries({
      questions: [
        { ...createQuestion('1', '1', 'often', 'L', '1', 'Y'), question: texts[1] },
        { ...createQuestion('2', '1', 'use', 'M', '2', 'Y'), question: texts[2] },
        { ...createQuestion('3', '2', 'happy', 'F', '1'), question: texts[3] },
        { ...createQuestion('4', '2', 'note', 'T', '2'), question: texts[4] },
        { ...createQuestion('5', '2', 'been', 'Y', '3'), question: texts[5] },
        { ...createQuestion('6', '2', 'order', 'R', '4'), question: texts[6] },
      ],
      subquestions: [
        { parent_qid: '2', title: 'SQ001', question_order: '1', question: 'Bus' },
        { parent_qid: '2', title: 'SQ002', question_order: '2', question: 'Bahn' },
        { parent_qid: '3', title: 'a', question_order: '1', question: 'Wege' },
        { parent_qid: '3', title: 'b', question_order: '2', question: 'Plätze' },
      ],
      answers: [
        { qid: '1', code: '1', sortorder: '1', answer: '2' },
        { qid: '1', code: '2', sortorder: '2', answer: '1' },
        { qid: '3', code: 'A1', sortorder: '1', answer: 'gut' },
        { qid: '3', code: 'A2', sortorder: '2', answer: 'schlecht' },
        { qid: '6', code: 'x', sortorder: '1', answer: 'Radweg' },
        { qid: '6', code: 'y', sortorder: '2', answer: 'Gehweg' },
      ],
    }).map(([name, rows]) => [
      name,
      rows.flatMap((row) => [
        { ...row, language: 'de' },
        { ...row, language: 'en', question: 'English', answer: 'English' },
      ]),
    ]),
  ),
} as Record<string, Record<string, string>[]>);

export const txt = `\uFEFF${toCsv('\t', [
  ['id', 'class', 'type/scale', 'name', 'relevance', 'text', 'help', 'language', 'other'],
  ['', 'S', '', 'sid', '', '714231', '', '', ''],
  ['', 'S', '', 'language', '', 'de', '', '', ''],
  ['', 'SL', '', 'surveyls_title', '', 'Unterwegs & mobil', '', 'de', ''],
  ['1', 'G', '', 'Erste', '1', '', '', 'de', ''],
  ['1', 'Q', 'L', 'often', '1', texts[1] as string, '', 'de', 'Y'],
  ['1', 'A', '0', '1', '', '2', '', 'de', ''],
  ['1', 'A', '0', '2', '', '1', '', 'de', ''],
  ['2', 'Q', 'M', 'use', '1', 'Was nutzen Sie?', '', 'de', 'Y'],
  ['2', 'SQ', '', 'SQ001', '', 'Bus', '', 'de', ''],
  ['2', 'SQ', '', 'SQ002', '', 'Bahn', '', 'de', ''],
  ['3', 'Q', 'F', 'happy', '1', 'Wie zufrieden sind Sie?', '', 'de', 'N'],
  ['3', 'SQ', '0', 'a', '', 'Wege', '', 'de', ''],
  ['3', 'SQ', '0', 'b', '', 'Plätze', '', 'de', ''],
  ['3', 'A', '0', 'A1', '', 'gut', '', 'de', ''],
  ['3', 'A', '0', 'A2', '', 'schlecht', '', 'de', ''],
  ['4', 'Q', 'T', 'note', '1', 'Anmerkungen', '', 'de', ''],
  ['5', 'Q', 'Y', 'been', '1', 'Waren Sie schon einmal hier?', '', 'de', ''],
  ['6', 'Q', 'R', 'order', '1', 'Reihenfolge', '', 'de', ''],
  ['6', 'SQ', '0', 'x', '', 'Radweg', '', 'de', ''],
  ['6', 'SQ', '0', 'y', '', 'Gehweg', '', 'de', ''],
  ['7', 'Q', 'X', 'hint', '1', 'Nur ein Hinweis', '', 'de', ''],
  ['1', 'Q', 'L', 'often', '1', 'How often?', '', 'en', 'Y'],
  ['1', 'A', '0', '1', '', 'two', '', 'en', ''],
])}`;

export const secret = 'Karla Kolumna, Hauptstr. 1, +49 30 123456';
export const header = [
  'id',
  'submitdate',
  'ipaddr',
  'often',
  'often[other]',
  'use[SQ001]',
  'use[SQ002]',
  'use[other]',
  'happy[a]',
  'happy[b]',
  'note',
  'been',
  'order[1]',
  'order[2]',
];

/** Responses from 100 on are unfinished. */
function createResponse(n: number): string[] {
  const often = n < 60 ? '1' : n < 88 ? '2' : '-oth-';
  const tick = (is: boolean) => (is ? 'Y' : n % 2 === 0 ? 'N' : '');
  return [
    String(n),
    n < 100 ? '2026-03-01 10:00:00' : '',
    '192.0.2.7',
    often,
    often === '-oth-' ? secret : '',
    tick(n < 70),
    tick(n >= 40 && n < 80),
    n < 15 ? secret : '',
    n < 50 ? 'A1' : 'A2',
    n < 97 ? 'A1' : 'A2',
    secret,
    n < 30 ? 'Y' : n < 60 ? 'N' : '',
    n < 45 ? 'x' : 'y',
    n < 45 ? 'y' : 'x',
  ];
}

export const responses = Array.from({ length: 103 }, (_, n) => createResponse(n));
