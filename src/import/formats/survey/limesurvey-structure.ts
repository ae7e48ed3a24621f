/** The questionnaire of a LimeSurvey survey, from its structure file: XML (.lss) or tab-separated text (.txt). */

import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { InvalidFieldError } from '../../field-validation.ts';
import { convertMarkupLine } from '../../html-to-text.ts';
import { InputError } from '../../parsed-record.ts';
import { readOptionFile } from '../../readers/option-file.ts';

export interface SurveyStructure {
  surveyId: string | undefined;
  title: string | undefined;
  /** Base language, as `de` or `de-informal`. */
  language: string;
  /** In the order of the questionnaire. */
  questions: StructureQuestion[];
}

export interface StructureQuestion {
  code: string;
  text: string;
  /** LimeSurvey's letter. */
  type: string;
  /** Whether people could write an answer of their own. */
  other: boolean;
  subquestions: StructureChoice[];
  answers: StructureChoice[];
}

export interface StructureChoice {
  code: string;
  text: string;
  /** 0, or 1 for the second of two scales. */
  scale: number;
}

/** @throws InputError when the file is no structure */
export function readStructure(path: string): SurveyStructure {
  const text = readOptionFile(path);
  if (text.startsWith('PK'))
    throw new InputError('It is a zip archive (.lsa): export the survey structure (.lss) instead.');
  const structure = structureIn(text);
  if (structure.questions.length === 0)
    throw new InputError(
      'It has no questions: export the survey structure from LimeSurvey as .lss, or as tab-separated .txt.',
    );
  return structure;
}

/** @throws InputError */
function structureIn(text: string): SurveyStructure {
  try {
    return /^\s*</.test(text) ? fromXml(text) : fromTable(text);
  } catch (error) {
    if (error instanceof InvalidFieldError)
      throw new InputError(`It has a text that cannot be read: ${error.message}.`);
    throw error;
  }
}

type Fields = Record<string, string>;

/** The rows of an .lss file by their section, such as `questions`. */
function sectionsOf(xml: string): Map<string, Fields[]> {
  const sections = new Map<string, Fields[]>();
  const path: string[] = [];
  let row: Fields = {};
  let content = '';
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new InputError('It has a DOCTYPE, which no structure of LimeSurvey has.');
  });
  parser.on('opentag', ({ name }) => {
    path.push(name);
    content = '';
    if (name === 'row' && path.length === 4) row = {};
  });
  const add = (text: string) => {
    content += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    const section = path[1] ?? '';
    if (path.length === 5 && path[3] === 'row') row[name] = content.trim();
    if (path.length === 4 && name === 'row') {
      const rows = sections.get(section);
      if (rows === undefined) sections.set(section, [row]);
      else rows.push(row);
    }
    if (path.length === 3 && name === 'language') sections.set(section, [{ language: content.trim() }]);
    path.pop();
  });
  parser.on('error', (error) => {
    throw new InputError(`It is no XML: ${error.message}.`);
  });
  parser.write(xml).close();
  return sections;
}

/** Since version 4 texts stand in sections of their own (`question_l10ns`), before beside what they belong to. */
function fromXml(xml: string): SurveyStructure {
  const sections = sectionsOf(xml);
  const rows = (name: string) => sections.get(name) ?? [];
  const [survey] = rows('surveys');
  const language = survey?.language ?? rows('languages')[0]?.language ?? 'en';
  const inLanguage = (row: Fields) => row.language === undefined || row.language === language;
  const translated = (name: string, id: string, field: string) =>
    new Map(
      rows(name)
        .filter(inLanguage)
        .map((row) => [row[id], row[field] ?? '']),
    );
  const questionTexts = translated('question_l10ns', 'qid', 'question');
  const answerTexts = translated('answer_l10ns', 'aid', 'answer');
  const groups = new Map(rows('groups').map(({ gid, group_order }) => [gid, Number(group_order ?? 0)]));
  const byOrder = (field: string) => (a: Fields, b: Fields) => Number(a[field] ?? 0) - Number(b[field] ?? 0);
  const ordered = (name: string, field: string) => rows(name).filter(inLanguage).sort(byOrder(field));
  const textOf = (row: Fields) => convertMarkupLine(row.question ?? questionTexts.get(row.qid) ?? '');
  const subquestions = Map.groupBy(ordered('subquestions', 'question_order'), (row) => row.parent_qid);
  const answers = Map.groupBy(ordered('answers', 'sortorder'), (row) => row.qid);
  const choice = (code: string | undefined, text: string, row: Fields): StructureChoice => ({
    code: code ?? '',
    text,
    scale: Number(row.scale_id ?? 0),
  });
  return {
    surveyId: survey?.sid,
    title: titleOf(
      rows('surveys_languagesettings').find(({ surveyls_language }) => surveyls_language === language),
    ),
    language,
    questions: ordered('questions', 'question_order')
      .sort((a, b) => (groups.get(a.gid ?? '') ?? 0) - (groups.get(b.gid ?? '') ?? 0))
      .map((row) => ({
        code: row.title ?? '',
        text: textOf(row),
        type: row.type ?? '',
        other: row.other === 'Y',
        subquestions: (subquestions.get(row.qid) ?? []).map((sub) => choice(sub.title, textOf(sub), sub)),
        answers: (answers.get(row.qid) ?? []).map((answer) =>
          choice(answer.code, convertMarkupLine(answer.answer ?? answerTexts.get(answer.aid) ?? ''), answer),
        ),
      })),
  };
}

const titleOf = (settings: Fields | undefined) =>
  convertMarkupLine(settings?.surveyls_title ?? '') || undefined;

/** What belongs to a question follows it. */
function fromTable(text: string): SurveyStructure {
  let rows: Fields[];
  try {
    rows = parse(text, {
      bom: true,
      columns: true,
      delimiter: '\t',
      relax_column_count: true,
      relax_quotes: true,
    });
  } catch (error) {
    throw new InputError(`It is neither an .lss file nor tab-separated text: ${(error as Error).message}.`);
  }
  const setting = (name: string) =>
    rows.find((row) => row.class === 'S' && row.name === name)?.text || undefined;
  const language = setting('language') ?? rows.find((row) => row.class === 'Q')?.language ?? 'en';
  const questions: StructureQuestion[] = [];
  for (const row of rows) {
    if (row.language !== '' && row.language !== undefined && row.language !== language) continue;
    const { class: kind, name: code = '', 'type/scale': type = '', other } = row;
    const own = convertMarkupLine(row.text ?? '');
    const choice = { code, text: own, scale: Number(type) || 0 };
    if (kind === 'Q')
      questions.push({ code, text: own, type, other: other === 'Y', subquestions: [], answers: [] });
    if (kind === 'SQ') questions.at(-1)?.subquestions.push(choice);
    if (kind === 'A') questions.at(-1)?.answers.push(choice);
  }
  const title = rows.find(
    (row) => row.class === 'SL' && row.name === 'surveyls_title' && row.language === language,
  )?.text;
  return {
    surveyId: setting('sid'),
    title: convertMarkupLine(title ?? '') || undefined,
    language,
    questions,
  };
}
