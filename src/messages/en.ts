/** The English texts of pages. The other languages have the same type. */
import type { SubmissionField } from '../contract/submission.ts';
import { submissionFields } from '../reasons/en/fields.ts';
import { accounts } from './en/accounts.ts';
import { apiValues } from './en/api-values.ts';
import { auditLog } from './en/audit-log.ts';
import { dryRun } from './en/dry-run.ts';
import { importHistory } from './en/import-history.ts';
import { importSettings } from './en/import-settings.ts';
import { importSheet } from './en/import-sheet.ts';
import { importSteps } from './en/import-steps.ts';
import { importsOfAll } from './en/imports-of-all.ts';
import { keyUsage } from './en/key-usage.ts';
import { keys } from './en/keys.ts';
import { layout } from './en/layout.ts';
import { mappingSuggestion } from './en/mapping-suggestion.ts';
import { myAccount } from './en/my-account.ts';
import { navigation } from './en/navigation.ts';
import { notifications } from './en/notifications.ts';
import { openData } from './en/open-data.ts';
import { openPages } from './en/open-pages.ts';
import { organizationList } from './en/organization-list.ts';
import { organizationSettings } from './en/organization-settings.ts';
import { overview } from './en/overview.ts';
import { publishedData } from './en/published-data.ts';
import { recordDecisions } from './en/record-decisions.ts';
import { redactionTerms } from './en/redaction-terms.ts';
import { signIn } from './en/sign-in.ts';
import { sources } from './en/sources.ts';
import { statistics } from './en/statistics.ts';
import { tryOperation } from './en/try-operation.ts';

export const en = {
  ...layout,
  ...overview,
  ...importsOfAll,
  ...sources,
  submissionFields: submissionFields satisfies Record<SubmissionField, object>,
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

export type Messages = typeof en;
