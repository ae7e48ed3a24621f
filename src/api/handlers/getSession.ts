import type * as contract from '../../contract/operations.ts';
import { enveloped, type Handler } from './call.ts';

export const getSession: Handler<typeof contract.getSession> = async ({ store, admission, id }) =>
  enveloped(await store.findSession(admission.caller.organizationId, id));
