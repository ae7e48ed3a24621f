import { basePath } from '../../../contract/operations.ts';
import { defineGroup, defineStoreCommand, json, organization } from '../define-command.ts';
import { requireOrganization } from '../find-organization.ts';
import { printJson, printTable } from '../output.ts';

export const addSurveyCommands = defineGroup('survey', 'list surveys', [
  defineStoreCommand({
    name: 'list',
    summary: 'list surveys with the paths of their results',
    description:
      'Lists the surveys of a municipality with the API paths of their results. Drafts have no results.',
    options: { organization, json },
    run: async (flags, store) => {
      const { id } = await requireOrganization(store, flags.organization);
      const surveys = await store.listSurveys(id);
      if (flags.json) return printJson(surveys);
      return printTable(
        ['TITLE', 'ENDED', 'STATUS', 'RESPONSES', 'ADDRESS'],
        surveys.map((survey) => [
          survey.title,
          survey.endedOn ?? survey.year?.toString() ?? '–',
          survey.status,
          String(survey.totalResponses),
          survey.status === 'draft' ? '–' : formatSurveyPath(survey.id),
        ]),
      );
    },
  }),
]);

/** Path of the results in the API. */
export function formatSurveyPath(id: string): string {
  return `${basePath}/surveys/${id}/results`;
}
