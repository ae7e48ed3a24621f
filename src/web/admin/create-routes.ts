/** All routes of the admin area, in the order of the navigation. Each file of `pages/` has the routes of one page. */
import type { AdminContext } from './admin-context.ts';
import { accountListRoutes } from './pages/account-list.ts';
import { addOrganizationRoutes } from './pages/add-organization.ts';
import { approvalListRoutes } from './pages/approvals/approval-list.ts';
import { approvalRequestRoutes } from './pages/approvals/approval-request.ts';
import { approvalSettingRoutes } from './pages/approvals/approval-setting.ts';
import { auditLogRoutes } from './pages/audit-log.ts';
import { correctRecordRoutes } from './pages/data/correct-record.ts';
import { correctSurveyRoutes } from './pages/data/correct-survey.ts';
import { recordDecisionRoutes } from './pages/data/record-decisions.ts';
import { recordNoteRoutes } from './pages/data/record-notes.ts';
import { submissionAndSessionRoutes } from './pages/data/submissions-and-sessions.ts';
import { surveyDataRoutes } from './pages/data/surveys.ts';
import { tryOperationRoutes } from './pages/data/try-api-operation.ts';
import { editAccountRoutes } from './pages/edit-account.ts';
import { editKeyRoutes } from './pages/edit-key.ts';
import { forgottenPasswordRoutes } from './pages/forgotten-password.ts';
import { dryRunListRoutes } from './pages/import-wizard/dry-run-lists.ts';
import { runStepRoutes } from './pages/import-wizard/run-page.ts';
import { startImportRoutes } from './pages/import-wizard/start-import.ts';
import { invitationRoutes } from './pages/invitation.ts';
import { inviteAccountRoutes } from './pages/invite-account.ts';
import { issueKeyRoutes } from './pages/issue-key.ts';
import { keyDetailsRoutes } from './pages/key-details.ts';
import { keyListRoutes } from './pages/key-list.ts';
import { keysOfAllRoutes } from './pages/keys-of-all.ts';
import { locationRoutes } from './pages/locations.ts';
import { myAccountRoutes } from './pages/my-account.ts';
import { oidcLoginRoutes } from './pages/oidc-login.ts';
import { openDataRoutes } from './pages/open-data.ts';
import { organizationHomeRoutes } from './pages/organization-home.ts';
import { organizationRoutes } from './pages/organization-list.ts';
import { organizationSettingsRoutes } from './pages/organization-settings.ts';
import { confirmRoutes } from './pages/reauthenticate.ts';
import { redactionTermsRoutes } from './pages/redaction-terms.ts';
import { rotateKeyRoutes } from './pages/rotate-key.ts';
import { runHistoryRoutes } from './pages/run-history.ts';
import { runsOfAllRoutes } from './pages/runs-of-all.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { editSourceRoutes } from './pages/sources/edit-source.ts';
import { portalKeyRoutes } from './pages/sources/portal-key.ts';
import { sourceDetailsRoutes } from './pages/sources/source-details.ts';
import { sourceListRoutes } from './pages/sources/source-list.ts';
import { undoImportRoutes } from './pages/sources/undo-import.ts';
import { statisticsRoutes } from './pages/statistics.ts';
import { unsubscribeRoutes } from './pages/unsubscribe.ts';
import { homePath } from './requests/return-url.ts';
import type { Route } from './route.ts';

export function createRoutes(admin: AdminContext): Route[] {
  return [
    ...['/admin', '/admin/'].map(
      (path): Route => ({
        path,
        access: 'signedIn',
        get: async ({ loginSession }) => ({ redirectTo: homePath(loginSession.account) }),
      }),
    ),
    ...signInRoutes(admin),
    ...forgottenPasswordRoutes(admin),
    ...confirmRoutes(admin),
    ...(admin.oidc === undefined ? [] : oidcLoginRoutes(admin, admin.oidc)),
    ...invitationRoutes(admin),
    ...myAccountRoutes(admin),
    ...unsubscribeRoutes(admin),
    ...organizationRoutes(admin),
    ...addOrganizationRoutes(admin),
    ...runsOfAllRoutes(admin),
    ...keysOfAllRoutes(admin),
    ...organizationHomeRoutes(admin),
    ...submissionAndSessionRoutes(admin),
    ...surveyDataRoutes(admin),
    ...recordDecisionRoutes(admin),
    ...recordNoteRoutes(admin),
    ...correctRecordRoutes(admin),
    ...correctSurveyRoutes(admin),
    ...approvalListRoutes(admin),
    ...approvalRequestRoutes(admin),
    ...tryOperationRoutes(admin),
    ...statisticsRoutes(admin),
    ...startImportRoutes(admin),
    ...runStepRoutes(admin),
    ...dryRunListRoutes(admin),
    ...runHistoryRoutes(admin),
    ...sourceListRoutes(admin),
    ...sourceDetailsRoutes(admin),
    ...editSourceRoutes(admin),
    ...portalKeyRoutes(admin),
    ...undoImportRoutes(admin),
    ...keyListRoutes(admin),
    ...keyDetailsRoutes(admin),
    ...issueKeyRoutes(admin),
    ...rotateKeyRoutes(admin),
    ...editKeyRoutes(admin),
    ...accountListRoutes(admin),
    ...inviteAccountRoutes(admin),
    ...editAccountRoutes(admin),
    ...organizationSettingsRoutes(admin),
    ...redactionTermsRoutes(admin),
    ...locationRoutes(admin),
    ...openDataRoutes(admin),
    ...approvalSettingRoutes(admin),
    ...auditLogRoutes(admin),
  ];
}
