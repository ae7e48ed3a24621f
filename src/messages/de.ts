/** The German texts of pages. */
import { submissionFields } from '../reasons/de/fields.ts';
import { accounts } from './de/accounts.ts';
import { apiValues } from './de/api-values.ts';
import { auditLog } from './de/audit-log.ts';
import { dryRun } from './de/dry-run.ts';
import { importHistory } from './de/import-history.ts';
import { importSettings } from './de/import-settings.ts';
import { importSheet } from './de/import-sheet.ts';
import { importSteps } from './de/import-steps.ts';
import { importsOfAll } from './de/imports-of-all.ts';
import { keyUsage } from './de/key-usage.ts';
import { keys } from './de/keys.ts';
import { layout } from './de/layout.ts';
import { mappingSuggestion } from './de/mapping-suggestion.ts';
import { myAccount } from './de/my-account.ts';
import { navigation } from './de/navigation.ts';
import { notifications } from './de/notifications.ts';
import { openData } from './de/open-data.ts';
import { openPages } from './de/open-pages.ts';
import { organizationList } from './de/organization-list.ts';
import { organizationSettings } from './de/organization-settings.ts';
import { overview } from './de/overview.ts';
import { publishedData } from './de/published-data.ts';
import { recordDecisions } from './de/record-decisions.ts';
import { redactionTerms } from './de/redaction-terms.ts';
import { signIn } from './de/sign-in.ts';
import { sources } from './de/sources.ts';
import { statistics } from './de/statistics.ts';
import { tryOperation } from './de/try-operation.ts';
import type { Messages } from './en.ts';

export const de: Messages = {
  ...layout,
  ...overview,
  ...importsOfAll,
  ...sources,
  submissionFields,
  ...mappingSuggestion,
  ...importSettings,
  ...importSheet,
  ...importSteps,
  ...dryRun,
  ...navigation,
  ...notifications,
  ...redactionTerms,
  ...signIn,
  ...myAccount,
  ...accounts,
  ...organizationList,
  ...auditLog,
  ...keys,
  ...keyUsage,
  ...statistics,
  ...apiValues,
  ...importHistory,
  ...publishedData,
  ...recordDecisions,
  ...tryOperation,
  ...organizationSettings,
  ...openData,
  ...openPages,
};
