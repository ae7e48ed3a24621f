/** Why a file or an option does not fit its format, as sentences. Those on an option begin with "It". */
import type { AnyReason, Words } from '../sentence.ts';

interface File {
  file: string;
}

const detectHint = '"rostra import detect" shows the format of a file.';

export const formats = {
  'calendar-too-large': ({ file }: File) => `${file} is larger than 32 MiB: export a shorter period.`,
  'calendar-incomplete': ({ file }: File) => `${file} is not a complete iCalendar file. ${detectHint}`,
  'open311-root-unknown': ({ file, root }: File & { root: string }) =>
    `${file} has no Open311 service requests: its root element is <${root}>. ${detectHint}`,
  'open311-column-missing': ({ file, column }: File & { column: string }) =>
    `${file} has no Open311 service requests: its first line has no column "${column}". ${detectHint}`,
  'pabulib-too-many-projects': ({ file, max }: File & { max: number }) =>
    `${file} has more than ${max} projects.`,
  'pabulib-expected': ({ file }: File) =>
    `${file} is not a .pb file: it does not begin with META. ${detectHint}`,
  'pabulib-column-missing': ({
    file,
    line,
    section,
    column,
  }: File & { line: number; section: string; column: string }) =>
    `${file}, line ${line}: the section ${section} has no column "${column}".`,
  'consul-column-missing': ({ file, field }: File & { field: 'id' | 'title' | 'date' }) =>
    `${file} is not a table of CONSUL proposals: its first line has no column for the ${field}, in English, German or Spanish. ${detectHint}`,
  'decidim-column-missing': ({ file, column }: File & { column: string }) =>
    `${file} is not a table of Decidim proposals: its first line has no column "${column}". ${detectHint}`,
  'decidim-locale-missing': ({
    file,
    locale,
    locales,
  }: File & { locale: string; locales: readonly string[] }) =>
    `${file} has no titles in "${locale}": its locales are ${locales.join(', ')}.`,
  'rostra-column-missing': ({ file }: File) =>
    `${file} is neither JSON nor CSV in Rostra's format: its first line has no column "id". ${detectHint}`,
  'survey-results-expected': ({ file }: File) =>
    `${file} is not a table of survey results: its first line names no options.`,
  'survey-files-separate': 'Import one file of responses at a time: each is one survey.',
  'survey-options-of-one-table':
    '--title, --survey-id and --continues are for one table: describe several with --metadata.',
  'survey-column-missing': ({ file, column }: File & { column: string }) =>
    `${file} has no column ${JSON.stringify(column)}.`,
  'survey-id-missing': ({ file }: File) =>
    `${file} has no file name to derive the id of the survey from: add --survey-id.`,
  'survey-options-contradict': '--continues names the survey: leave out --survey-id and --new-survey.',
  'structure-question-missing': ({ question }: { question: string }) =>
    `The structure has no question ${question}.`,
  'structure-column-missing': ({ file, column }: File & { column: string }) =>
    `${file} does not fit the structure: it has no column ${column}. Export responses and structure of the same survey, the responses with question codes as headings.`,
  'structure-answers-unknown': ({ file, question }: File & { question: string }) =>
    `${file} does not fit the structure: most answers to ${question} are none of its options. Export responses and structure of the same survey.`,
  'structure-is-archive': 'It is a zip archive (.lsa): export the survey structure (.lss) instead.',
  'structure-without-questions':
    'It has no questions: export the survey structure from LimeSurvey as .lss, or as tab-separated .txt.',
  'structure-text-invalid': ({ problem }: { problem: AnyReason }, words: Words) =>
    `It contains an invalid text: ${words.reason(problem)}.`,
  'structure-with-doctype': 'It has a DOCTYPE, unlike a LimeSurvey structure.',
  'structure-not-xml': ({ detail }: { detail: string }) => `It is not valid XML: ${detail}.`,
  'structure-unreadable': ({ detail }: { detail: string }) =>
    `It is neither an .lss file nor tab-separated text: ${detail}.`,
  'metadata-expected': 'It must contain a JSON list or object that describes tables.',
  'statuses-expected': 'It must contain a JSON object such as {"abgelehnt": "rejected"}.',
  'option-not-words': 'It must be a list of words, separated by commas.',
  'option-not-columns': 'It must be names of columns, separated by commas.',
  'option-not-locale': 'It must be a locale such as ca or pt-BR.',
  'option-not-survey': 'It must be the UUID of a survey: "rostra survey list" shows all.',
  'option-not-one-of': ({ values }: { values: readonly string[] }) =>
    `It must be one of ${values.join(', ')}.`,
  'option-empty': 'It must not be empty.',
  'option-not-threshold':
    'It must be a whole number of at least 3. To publish anonymised counts unchanged, use --already-anonymised.',
  'option-not-number': ({ min, max }: { min: number; max: number }) =>
    `It must be a whole number from ${min} to ${max}.`,
  'option-not-hosts': 'It must be hosts such as ris.example or ris.example:8443.',
};
