import type * as contract from '../../contract/operations.ts';
import type { Handler } from './call.ts';

export const getMe: Handler<typeof contract.getMe> = async ({ admission }) => {
  const { organizationId, keyPrefix, keyName } = admission.caller;
  return Buffer.from(
    JSON.stringify({ organization_id: organizationId, key_prefix: keyPrefix, key_name: keyName }),
  );
};
