/** The surveys that disclosure control compares imported ones with, as their sources call them. */
import { isDraft } from '../../domain/is-draft.ts';
import type { SurveyTexts } from '../../domain/record-decision.ts';
import type { SurveyRecord } from '../../domain/records.ts';
import type { AskedSurvey, ReleasedSurveyStore } from '../../domain/store.ts';
import type { Engine } from '../engine.ts';
import { pickPublished, type SurveyRow } from '../queries/published-data.ts';
import { questionsOfSurveys, surveyResults } from '../queries/statements.ts';
import { type KeptSurvey, withTexts } from './corrections.ts';

export function createReleasedSurveyStore(engine: Engine): ReleasedSurveyStore {
  return {
    findReleasedSurvey: async (organizationId, id) => {
      const rows = await engine.tenantQuery<SurveyRow>(surveyResults, [organizationId, id]);
      const [stored] = rows;
      if (stored === undefined) return undefined;
      const document = pickPublished(rows);
      const kept = (await readKeptSurveys(engine, organizationId, id)).get(id);
      const status = kept === undefined ? stored.status : (kept.status as string);
      const survey: SurveyRecord = { ...JSON.parse(stored.document), status };
      // A draft keeps the results that were released before it.
      if (isDraft(status) && survey.totalResponses === 0) return undefined;
      return { document, survey: kept === undefined ? survey : withTexts(survey, kept) };
    },
    listSurveyQuestions: async (organizationId) => {
      const rows = await engine.tenantQuery<QuestionRow>(questionsOfSurveys, [organizationId], 'primary');
      const kept = await readKeptSurveys(engine, organizationId);
      return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, asked]) =>
        listWordings(id, asked, kept.get(id)),
      );
    },
  };
}

interface QuestionRow {
  id: string;
  title: string;
  status: string;
  total: number;
  text: string;
}

function listWordings(
  id: string,
  asked: readonly QuestionRow[],
  kept: KeptSurvey | undefined,
): AskedSurvey[] {
  const [first] = asked;
  if (first === undefined || (isDraft((kept ?? first).status as string) && Number(first.total) === 0))
    return [];
  const { title } = kept ?? first;
  const wordings: SurveyTexts['questionTexts'][] = [asked.map(({ text }) => text)];
  if (kept?.questionTexts.some((text, index) => text !== asked[index]?.text))
    wordings.push(kept.questionTexts);
  return wordings.map((questionTexts) => ({ id, title, questionTexts }));
}

async function readKeptSurveys(
  engine: Engine,
  organizationId: string,
  id?: string,
): Promise<Map<string, KeptSurvey>> {
  const rows = await engine.query<{ record: string }>(
    `SELECT record FROM record_decision WHERE organization_id = $1 AND kind = 'survey' AND record IS NOT NULL
    ${id === undefined ? '' : 'AND id = $2'}`,
    id === undefined ? [organizationId] : [organizationId, id],
  );
  return new Map(
    rows.map(({ record }) => {
      const survey: KeptSurvey = JSON.parse(record);
      return [survey.id, survey];
    }),
  );
}
