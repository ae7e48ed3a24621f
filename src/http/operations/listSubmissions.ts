import type * as contract from '../../contract/operations.ts';
import { listPage } from '../list.ts';
import type { Handler } from './call.ts';

export const listSubmissions: Handler<typeof contract.listSubmissions> = ({ store, caller, query }) => {
  const { cursor, limit, status, topic } = query;
  const { organizationId } = caller;
  const scope = { organizationId, operationId: 'listSubmissions', filters: [status, topic] };
  return listPage(store, scope, cursor, (after) =>
    store.submissions({ organizationId, after, limit, status, topic }),
  );
};
