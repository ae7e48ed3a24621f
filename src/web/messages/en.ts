/** The English texts of pages. The other languages have the same type. */
import type { SubmissionField } from '../../contract/resources/submission.ts';
import { submissionFields } from '../../domain/reasons/en/field-labels.ts';
import { accounts } from './en/accounts.ts';
import { apiValues } from './en/api-values.ts';
import { approvals } from './en/approvals.ts';
import { auditLog } from './en/audit-log.ts';
import { help } from './en/help.ts';
import { keyUsage } from './en/key-usage.ts';
import { keys } from './en/keys.ts';
import { layout } from './en/layout.ts';
import { locations } from './en/locations.ts';
import { myAccount } from './en/my-account.ts';
import { navigation } from './en/navigation.ts';
import { notifications } from './en/notifications.ts';
import { openData } from './en/open-data.ts';
import { openDataPages } from './en/open-data-pages.ts';
import { organizationList } from './en/organization-list.ts';
import { organizationSettings } from './en/organization-settings.ts';
import { overview } from './en/overview.ts';
import { publishedData } from './en/published-data.ts';
import { recordDecisions } from './en/record-decisions.ts';
import { recordNotes } from './en/record-notes.ts';
import { redactionTerms } from './en/redaction-terms.ts';
import { runHistory } from './en/run-history.ts';
import { runsOfAll } from './en/runs-of-all.ts';
import { signIn } from './en/sign-in.ts';
import { sources } from './en/sources.ts';
import { statistics } from './en/statistics.ts';
import { tryOperation } from './en/try-operation.ts';
import { wizardDryRun } from './en/wizard-dry-run.ts';
import { wizardMapping } from './en/wizard-mapping.ts';
import { wizardSettings } from './en/wizard-settings.ts';
import { wizardSheet } from './en/wizard-sheet.ts';
import { wizardSteps } from './en/wizard-steps.ts';

export const en = {
  ...layout,
  ...overview,
  ...runsOfAll,
  ...sources,
  submissionFields: submissionFields satisfies Record<SubmissionField, object>,
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

export type Messages = typeof en;
