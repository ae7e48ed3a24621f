import type * as contract from '../../contract/operations.ts';
import { enveloped, type Handler } from './call.ts';

export const getSubmission: Handler<typeof contract.getSubmission> = async ({ store, caller, id }) =>
  enveloped(await store.submission(caller.organizationId, id));
