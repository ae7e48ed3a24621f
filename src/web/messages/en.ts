/** The English texts of pages. The other languages have the same type. */
import type { SubmissionField } from '../../contract/resources/submission.ts';
import { apiValues } from '../../domain/reasons/en/api-values.ts';
import { submissionFields } from '../../domain/reasons/en/field-labels.ts';
import * as accounts from './en/accounts.ts';
import * as approvals from './en/approvals.ts';
import * as auditLog from './en/audit-log.ts';
import * as help from './en/help.ts';
import * as keyUsage from './en/key-usage.ts';
import * as keys from './en/keys.ts';
import * as layout from './en/layout.ts';
import * as locations from './en/locations.ts';
import * as myAccount from './en/my-account.ts';
import * as navigation from './en/navigation.ts';
import * as notifications from './en/notifications.ts';
import * as openData from './en/open-data.ts';
import * as openDataPages from './en/open-data-pages.ts';
import * as organizationList from './en/organization-list.ts';
import * as organizationSettings from './en/organization-settings.ts';
import * as overview from './en/overview.ts';
import * as publishedData from './en/published-data.ts';
import * as recordDecisions from './en/record-decisions.ts';
import * as recordNotes from './en/record-notes.ts';
import * as redactionTerms from './en/redaction-terms.ts';
import * as runHistory from './en/run-history.ts';
import * as runsOfAll from './en/runs-of-all.ts';
import * as signIn from './en/sign-in.ts';
import * as sources from './en/sources.ts';
import * as statistics from './en/statistics.ts';
import * as tryOperation from './en/try-operation.ts';
import * as wizardDryRun from './en/wizard-dry-run.ts';
import * as wizardMapping from './en/wizard-mapping.ts';
import * as wizardSettings from './en/wizard-settings.ts';
import * as wizardSheet from './en/wizard-sheet.ts';
import * as wizardSteps from './en/wizard-steps.ts';

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
  apiValues,
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
