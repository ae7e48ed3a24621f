import type * as contract from '../../contract/operations.ts';
import { listPage } from '../pagination.ts';
import type { Handler } from './call.ts';

export const listSessions: Handler<typeof contract.listSessions> = ({ store, admission, query }) => {
  const { cursor, limit } = query;
  const { organizationId } = admission.caller;
  const scope = { organizationId, operationId: 'listSessions', filters: [] };
  return listPage(admission.cursorSecrets, scope, cursor, (after) =>
    store.sessions({ organizationId, after, limit }),
  );
};
