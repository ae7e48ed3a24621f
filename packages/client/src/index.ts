/** The published interface of `rostra-client`. */
export * from './contract-types.ts';
export {
  type ChangePage,
  type Client,
  createClient,
  type List,
  type ListOptions,
  type ListPage,
  type RequestOptions,
} from './create-client.ts';
export { RostraError, type RostraErrorCode } from './rostra-error.ts';
export type { ClientOptions, RequestAttempt } from './send-request.ts';
