import type * as contract from '../../contract/operations.ts';
import type { Handler } from './call.ts';

export const getMe: Handler<typeof contract.getMe> = async ({ caller }) =>
  JSON.stringify({
    organization_id: caller.organizationId,
    key_prefix: caller.keyPrefix,
    key_name: caller.keyName,
  });
