import type * as contract from '../../contract/operations.ts';
import { paginate } from '../pagination.ts';
import type { Handler } from './call.ts';

export const listSubmissions: Handler<typeof contract.listSubmissions> = ({ store, admission, query }) => {
  const { cursor, limit, status, topic } = query;
  const { organizationId } = admission.caller;
  const scope = { organizationId, operationId: 'listSubmissions', filters: [status, topic] };
  return paginate(admission.cursorSecrets, scope, cursor, (after) =>
    store.listSubmissions({ organizationId, after, limit, status, topic }),
  );
};
