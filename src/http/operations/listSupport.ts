import type * as contract from '../../contract/operations.ts';
import { listPage } from '../list.ts';
import type { Handler } from './call.ts';

export const listSupport: Handler<typeof contract.listSupport> = ({ store, caller, query }) => {
  const { cursor, limit, submission_id: submissionId } = query;
  const { organizationId } = caller;
  const scope = { organizationId, operationId: 'listSupport', filters: [submissionId] };
  return listPage(store, scope, cursor, (after) =>
    store.support({ organizationId, after, limit, submissionId }),
  );
};
