import type * as contract from '../../contract/operations.ts';
import { listPage } from '../list.ts';
import type { Handler } from './call.ts';

export const listSessions: Handler<typeof contract.listSessions> = ({ store, caller, query }) => {
  const { cursor, limit } = query;
  const { organizationId } = caller;
  const scope = { organizationId, operationId: 'listSessions', filters: [] };
  return listPage(store, scope, cursor, (after) => store.sessions({ organizationId, after, limit }));
};
