import type * as contract from '../../contract/operations.ts';
import { enveloped, type Handler } from './call.ts';

export const getSurveyResults: Handler<typeof contract.getSurveyResults> = async ({ store, admission, id }) =>
  enveloped(await store.findSurveyResults(admission.caller.organizationId, id));
