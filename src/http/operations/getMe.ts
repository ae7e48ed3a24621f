import type * as contract from '../../contract/operations.ts';
import type { Handler } from './call.ts';

export const getMe: Handler<typeof contract.getMe> = async ({ admission }) =>
  JSON.stringify({
    organization_id: admission.caller.organizationId,
    key_prefix: admission.caller.keyPrefix,
    key_name: admission.caller.keyName,
  });
