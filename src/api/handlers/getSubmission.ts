import type * as contract from '../../contract/operations.ts';
import { enveloped, type Handler } from './call.ts';

export const getSubmission: Handler<typeof contract.getSubmission> = async ({ store, admission, id }) =>
  enveloped(await store.findSubmission(admission.caller.organizationId, id));
