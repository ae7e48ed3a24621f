import type * as contract from '../../contract/operations.ts';
import { paginate } from '../pagination.ts';
import type { Handler } from './call.ts';

export const listSessions: Handler<typeof contract.listSessions> = ({ store, admission, query }) => {
  const { cursor, limit } = query;
  const { organizationId } = admission.caller;
  const scope = { organizationId, operationId: 'listSessions', filters: [] };
  return paginate(admission.cursorSecrets, scope, cursor, (after) =>
    store.listSessions({ organizationId, after, limit }),
  );
};
