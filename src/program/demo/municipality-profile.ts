/** The settings of one fictitious municipality. */
import type { OrganizationChanges } from '../../domain/organizations/organization-fields.ts';
import type { Language } from '../../domain/organizations/placeholder-words.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import type { TextTemplates } from './description-template-types.ts';

export interface MunicipalityProfile {
  id: string;
  name: string;
  organization: Required<Omit<OrganizationChanges, 'name' | 'redactionTerms' | 'logo'>> & {
    language: Language;
  };
  /** @returns a PNG */
  readLogo(): Buffer;
  /** Of the systems that the records come from. */
  sourceNames: Readonly<Record<RecordKind, string>>;
  /** Of programs that read the API. */
  keyNames: readonly string[];
  seed: number;
  texts: TextTemplates;
  committees: readonly Committee[];
  surveys: readonly SurveyDefinition[];
  /** For example `rank` in "Put these in order – rank 1". */
  rankLabel: string;
  /** Text of the option that combines small counts. */
  otherAnswersText: string;
  /** Longitude and latitude. */
  center: readonly [longitude: number, latitude: number];
  /** Includes those of deadlines and position papers. */
  submissionCount: number;
  /** `YYYY-MM-DD` of the oldest records. */
  startDate: string;
  /** Many submissions with one timestamp, such as from a form that closed at midnight. */
  deadlines: readonly { at: string; submissions: number }[];
  /** In characters. */
  positionPaperLengths: readonly number[];
  /** By status of a decided submission. */
  decisions: Readonly<Record<string, DecisionWords>>;
  formatReferenceNumber(year: number, number: number): string;
  buildProtocolUrl(slug: string, date: string): string;
  /** Of a submission. */
  buildSourceUrl(referenceNumber: string): string;
  buildSessionUrl(slug: string, date: string): string;
}

interface DecisionWords {
  /** In the words of the council information system. */
  results: readonly string[];
  answer: string;
}

export interface Committee {
  name: string;
  /** Name in the URL of its minutes. */
  slug: string;
  /** 'all' for the council; none for a committee that discusses no submissions. */
  topics: 'all' | readonly string[];
  intervalWeeks: number;
  /** 1 is Monday. */
  weekday: number;
  /** Local time, `HH:MM`. */
  startTime: string;
  /** Where it meets. */
  place: string;
}

interface SurveyDefinition {
  title: string;
  status: 'draft' | 'active' | 'closed' | 'archived';
  endedOn?: string;
  year?: number;
  totalResponses: number;
  questions: readonly Question[];
}

export interface Question {
  text: string;
  type: 'single_choice' | 'multiple_choice' | 'scale' | 'matrix' | 'ranking' | 'text';
  /** Of a matrix. Each row becomes a question with all options. */
  rows?: readonly string[];
  options: readonly string[];
}
