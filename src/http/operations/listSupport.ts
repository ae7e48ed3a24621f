import type * as contract from '../../contract/operations.ts';
import { listPage } from '../list.ts';
import type { Handler } from './call.ts';

export const listSupport: Handler<typeof contract.listSupport> = ({ store, admission, query }) => {
  const { cursor, limit, submission_id: submissionId } = query;
  const { organizationId } = admission.caller;
  const scope = { organizationId, operationId: 'listSupport', filters: [submissionId] };
  return listPage(admission.cursorSecrets, scope, cursor, (after) =>
    store.support({ organizationId, after, limit, submissionId }),
  );
};
