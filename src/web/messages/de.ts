/** The German texts of pages. */
import { submissionFields } from '../../domain/reasons/de/field-labels.ts';
import { accounts } from './de/accounts.ts';
import { apiValues } from './de/api-values.ts';
import { approvals } from './de/approvals.ts';
import { auditLog } from './de/audit-log.ts';
import { help } from './de/help.ts';
import { keyUsage } from './de/key-usage.ts';
import { keys } from './de/keys.ts';
import { layout } from './de/layout.ts';
import { locations } from './de/locations.ts';
import { myAccount } from './de/my-account.ts';
import { navigation } from './de/navigation.ts';
import { notifications } from './de/notifications.ts';
import { openData } from './de/open-data.ts';
import { openDataPages } from './de/open-data-pages.ts';
import { organizationList } from './de/organization-list.ts';
import { organizationSettings } from './de/organization-settings.ts';
import { overview } from './de/overview.ts';
import { publishedData } from './de/published-data.ts';
import { recordDecisions } from './de/record-decisions.ts';
import { recordNotes } from './de/record-notes.ts';
import { redactionTerms } from './de/redaction-terms.ts';
import { runHistory } from './de/run-history.ts';
import { runsOfAll } from './de/runs-of-all.ts';
import { signIn } from './de/sign-in.ts';
import { sources } from './de/sources.ts';
import { statistics } from './de/statistics.ts';
import { tryOperation } from './de/try-operation.ts';
import { wizardDryRun } from './de/wizard-dry-run.ts';
import { wizardMapping } from './de/wizard-mapping.ts';
import { wizardSettings } from './de/wizard-settings.ts';
import { wizardSheet } from './de/wizard-sheet.ts';
import { wizardSteps } from './de/wizard-steps.ts';
import type { Messages } from './en.ts';

export const de: Messages = {
  ...layout,
  ...overview,
  ...runsOfAll,
  ...sources,
  submissionFields,
  ...wizardMapping,
  ...wizardSettings,
  ...wizardSheet,
  ...wizardSteps,
  ...wizardDryRun,
  ...navigation,
  ...notifications,
  ...redactionTerms,
  ...locations,
  ...signIn,
  ...myAccount,
  ...accounts,
  ...organizationList,
  ...approvals,
  ...auditLog,
  ...keys,
  ...keyUsage,
  ...statistics,
  ...apiValues,
  ...runHistory,
  ...publishedData,
  ...recordDecisions,
  ...recordNotes,
  ...tryOperation,
  ...organizationSettings,
  ...openData,
  ...openDataPages,
  ...help,
};
