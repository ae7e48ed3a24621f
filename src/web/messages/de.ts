/** The German texts of pages. */
import { apiValues } from '../../domain/reasons/de/api-values.ts';
import { submissionFields } from '../../domain/reasons/de/field-labels.ts';
import * as accounts from './de/accounts.ts';
import * as approvals from './de/approvals.ts';
import * as auditLog from './de/audit-log.ts';
import * as help from './de/help.ts';
import * as keyUsage from './de/key-usage.ts';
import * as keys from './de/keys.ts';
import * as layout from './de/layout.ts';
import * as locations from './de/locations.ts';
import * as myAccount from './de/my-account.ts';
import * as navigation from './de/navigation.ts';
import * as notifications from './de/notifications.ts';
import * as openData from './de/open-data.ts';
import * as openDataPages from './de/open-data-pages.ts';
import * as organizationList from './de/organization-list.ts';
import * as organizationSettings from './de/organization-settings.ts';
import * as overview from './de/overview.ts';
import * as publishedData from './de/published-data.ts';
import * as recordDecisions from './de/record-decisions.ts';
import * as recordNotes from './de/record-notes.ts';
import * as redactionTerms from './de/redaction-terms.ts';
import * as runHistory from './de/run-history.ts';
import * as runsOfAll from './de/runs-of-all.ts';
import * as signIn from './de/sign-in.ts';
import * as sources from './de/sources.ts';
import * as statistics from './de/statistics.ts';
import * as tryOperation from './de/try-operation.ts';
import * as wizardDryRun from './de/wizard-dry-run.ts';
import * as wizardMapping from './de/wizard-mapping.ts';
import * as wizardSettings from './de/wizard-settings.ts';
import * as wizardSheet from './de/wizard-sheet.ts';
import * as wizardSteps from './de/wizard-steps.ts';
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
