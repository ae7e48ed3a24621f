/** The English texts of the admin area. The other languages have the same type. */
import { accountList } from './en/account-list.ts';
import { accounts } from './en/accounts.ts';
import { auditLog } from './en/audit-log.ts';
import { browse } from './en/browse.ts';
import { dryRun } from './en/dry-run.ts';
import { importSettings } from './en/import-settings.ts';
import { importSheet } from './en/import-sheet.ts';
import { importSteps } from './en/import-steps.ts';
import { importsOfAll } from './en/imports-of-all.ts';
import { keyUsage } from './en/key-usage.ts';
import { keys } from './en/keys.ts';
import { layout } from './en/layout.ts';
import { mappingSuggestion } from './en/mapping-suggestion.ts';
import { navigation } from './en/navigation.ts';
import { notifications } from './en/notifications.ts';
import { organizationSettings } from './en/organization-settings.ts';
import { overview } from './en/overview.ts';
import { data } from './en/published-data.ts';
import { redactionTerms } from './en/redaction-terms.ts';
import { signIn } from './en/sign-in.ts';
import { sources } from './en/sources.ts';
import { submissionFields } from './en/submission-fields.ts';

export const en = {
  ...layout,
  ...overview,
  ...importsOfAll,
  ...sources,
  ...submissionFields,
  ...mappingSuggestion,
  ...importSettings,
  ...importSheet,
  ...importSteps,
  ...dryRun,
  ...navigation,
  ...notifications,
  ...redactionTerms,
  ...signIn,
  ...accounts,
  ...accountList,
  ...auditLog,
  ...keys,
  ...keyUsage,
  ...data,
  ...browse,
  ...organizationSettings,
};

export type Messages = typeof en;
