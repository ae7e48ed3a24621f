import type * as contract from '../../contract/operations.ts';
import { paginate } from '../pagination.ts';
import type { Handler } from './call.ts';

export const listSupport: Handler<typeof contract.listSupport> = ({ store, admission, query }) => {
  const { cursor, limit } = query;
  const submissionId = query.submission_id?.toLowerCase();
  const { organizationId } = admission.caller;
  const scope = { organizationId, operationId: 'listSupport', filters: [submissionId] };
  return paginate(admission.cursorSecrets, scope, cursor, (after) =>
    store.listSupport({ organizationId, after, limit, submissionId }),
  );
};
