/** Parses the structure file of a LimeSurvey survey: XML (.lss) or tab-separated text (.txt). */
import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { InvalidFieldError } from '../../../../domain/reasons/reason.ts';
import { InputError } from '../../../input-error.ts';
import { convertMarkupLine } from '../../../records/html-to-text.ts';

export interface SurveyStructure {
  surveyId: string | undefined;
  title: string | undefined;
  /** Day of the last time at which the survey could be answered. */
  endedOn: string | undefined;
  /** Base language, such as `de` or `de-informal`. */
  language: string;
  /** In the order of the questionnaire. */
  questions: StructureQuestion[];
}

export interface StructureQuestion {
  code: string;
  text: string;
  /** A letter of LimeSurvey's manual. */
  type: string;
  /** Whether respondents could write their own answer. */
  other: boolean;
  /** Text of that option; empty: LimeSurvey's own. */
  otherText: string;
  /** Respondents never see it: it takes data of the invitation or the address, such as a department. */
  isHidden: boolean;
  subquestions: StructureChoice[];
  answers: StructureChoice[];
}

export interface StructureChoice {
  code: string;
  text: string;
  /** 0, or 1 for the second of two scales. */
  scale: number;
}

/** @throws InputError if the file is not a structure */
export function parseStructureFile(text: string): SurveyStructure {
  if (text.startsWith('PK')) throw new InputError({ code: 'structure-is-archive' });
  const structure = parseStructure(text);
  if (structure.questions.length === 0) throw new InputError({ code: 'structure-without-questions' });
  return structure;
}

/** @throws InputError */
function parseStructure(text: string): SurveyStructure {
  try {
    return /^\s*</.test(text) ? parseXml(text) : parseTabSeparated(text);
  } catch (error) {
    if (error instanceof InvalidFieldError)
      throw new InputError({ code: 'structure-text-invalid', problem: error.reason });
    throw error;
  }
}

type Fields = Record<string, string>;

/** @param time such as `2026-03-31 23:59:00`, in the time zone of the server of the survey */
const readDay = (time = ''): string | undefined => /^\d{4}-\d{2}-\d{2}(?= |$)/.exec(time)?.[0];

/** @returns the rows of an .lss file by section, such as `questions` */
function readSections(xml: string): Map<string, Fields[]> {
  const sections = new Map<string, Fields[]>();
  const path: string[] = [];
  let row: Fields = {};
  let content = '';
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new InputError({ code: 'structure-with-doctype' });
  });
  parser.on('opentag', ({ name }) => {
    path.push(name);
    content = '';
    if (name === 'row' && path.length === 4) row = {};
  });
  const addText = (text: string) => {
    content += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
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
    throw new InputError({ code: 'structure-not-xml', detail: error.message });
  });
  parser.write(xml).close();
  return sections;
}

/** Since version 4, texts have separate sections, such as `question_l10ns`. Before, questions and answers included them. */
function parseXml(xml: string): SurveyStructure {
  const sections = readSections(xml);
  const listRows = (name: string) => sections.get(name) ?? [];
  const [survey] = listRows('surveys');
  const language = survey?.language ?? listRows('languages')[0]?.language ?? 'en';
  const settings = listRows('surveys_languagesettings').find((row) => row.surveyls_language === language);
  const isInLanguage = (row: Fields) => row.language === undefined || row.language === language;
  const mapTexts = (name: string, id: string, field: string) =>
    new Map(
      listRows(name)
        .filter(isInLanguage)
        .map((row) => [row[id], row[field] ?? '']),
    );
  const questionTexts = mapTexts('question_l10ns', 'qid', 'question');
  const answerTexts = mapTexts('answer_l10ns', 'aid', 'answer');
  const groups = new Map(listRows('groups').map(({ gid, group_order }) => [gid, Number(group_order ?? 0)]));
  const compareBy = (field: string) => (a: Fields, b: Fields) =>
    Number(a[field] ?? 0) - Number(b[field] ?? 0);
  const listSorted = (name: string, field: string) =>
    listRows(name).filter(isInLanguage).sort(compareBy(field));
  const getText = (row: Fields) => convertMarkupLine(row.question ?? questionTexts.get(row.qid) ?? '');
  const subquestions = Map.groupBy(listSorted('subquestions', 'question_order'), (row) => row.parent_qid);
  const hidden = new Set(
    listRows('question_attributes').flatMap(({ qid, attribute, value }) =>
      attribute === 'hidden' && value === '1' ? [qid] : [],
    ),
  );
  const otherTexts = new Map(
    listRows('question_attributes')
      .filter((row) => row.attribute === 'other_replace_text' && (row.language || language) === language)
      .map((row) => [row.qid, convertMarkupLine(row.value ?? '')]),
  );
  const answers = Map.groupBy(listSorted('answers', 'sortorder'), (row) => row.qid);
  const toChoice = (code: string | undefined, text: string, row: Fields): StructureChoice => ({
    code: code ?? '',
    text,
    scale: Number(row.scale_id ?? 0),
  });
  return {
    surveyId: survey?.sid,
    title: convertMarkupLine(settings?.surveyls_title ?? '') || undefined,
    endedOn: readDay(survey?.expires),
    language,
    questions: listSorted('questions', 'question_order')
      .sort((a, b) => (groups.get(a.gid ?? '') ?? 0) - (groups.get(b.gid ?? '') ?? 0))
      .map((row) => ({
        code: row.title ?? '',
        text: getText(row),
        type: row.type ?? '',
        other: row.other === 'Y',
        otherText: otherTexts.get(row.qid) ?? '',
        isHidden: hidden.has(row.qid),
        subquestions: (subquestions.get(row.qid) ?? []).map((sub) => toChoice(sub.title, getText(sub), sub)),
        answers: (answers.get(row.qid) ?? []).map((answer) =>
          toChoice(
            answer.code,
            convertMarkupLine(answer.answer ?? answerTexts.get(answer.aid) ?? ''),
            answer,
          ),
        ),
      })),
  };
}

/** The subquestions and answers follow their question. */
function parseTabSeparated(text: string): SurveyStructure {
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
    throw new InputError({ code: 'structure-unreadable', detail: (error as Error).message });
  }
  const getSetting = (name: string) =>
    rows.find((row) => row.class === 'S' && row.name === name)?.text || undefined;
  const language = getSetting('language') ?? rows.find((row) => row.class === 'Q')?.language ?? 'en';
  const questions: StructureQuestion[] = [];
  for (const row of rows) {
    if (row.language !== '' && row.language !== undefined && row.language !== language) continue;
    const { class: kind, name: code = '', 'type/scale': type = '', other, hidden, other_replace_text } = row;
    const plainText = convertMarkupLine(row.text ?? '');
    const choice = { code, text: plainText, scale: Number(type) || 0 };
    if (kind === 'Q')
      questions.push({
        ...{ code, text: plainText, type, other: other === 'Y', isHidden: hidden === '1' },
        otherText: convertMarkupLine(other_replace_text ?? ''),
        subquestions: [],
        answers: [],
      });
    if (kind === 'SQ') questions.at(-1)?.subquestions.push(choice);
    if (kind === 'A') questions.at(-1)?.answers.push(choice);
  }
  const title = rows.find(
    (row) => row.class === 'SL' && row.name === 'surveyls_title' && row.language === language,
  )?.text;
  return {
    surveyId: getSetting('sid'),
    title: convertMarkupLine(title ?? '') || undefined,
    endedOn: readDay(getSetting('expires')),
    language,
    questions,
  };
}
