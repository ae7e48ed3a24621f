import type { Command } from 'commander';
import { basePath } from '../../contract/operations.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { requireOrganization } from '../find-organization.ts';
import { printJson, printTable } from '../output.ts';
import { createJsonOption, createOrganizationOption, createSettingOption } from '../shared-options.ts';

export function addSurveyCommands(program: Command, context: CommandContext): void {
  program
    .command('survey')
    .description('Lists surveys')
    .command('list')
    .summary('list surveys with the paths of their results')
    .description(
      'Lists the surveys of a municipality with the API paths of their results. Drafts have no results.',
    )
    .addOption(createOrganizationOption())
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: DatabaseFlags & { organization: string; json?: true }) =>
      withStore(context, flags, async (store) => {
        const { id } = await requireOrganization(store, flags.organization);
        const surveys = await store.listSurveys(id);
        if (flags.json) return printJson(surveys);
        return printTable(
          ['TITLE', 'STATUS', 'RESPONSES', 'ADDRESS'],
          surveys.map((survey) => [
            survey.title,
            survey.status,
            String(survey.totalResponses),
            survey.status === 'draft' ? '–' : formatSurveyPath(survey.id),
          ]),
        );
      }),
    );
}

export function formatSurveyPath(id: string): string {
  return `${basePath}/surveys/${id}/results`;
}
