import { apiVersion } from '../../contract/operations.ts';

/** Alive as long as the process answers: the store is not asked. */
export function getHealth(): string {
  return JSON.stringify({ status: 'ok', version: apiVersion });
}
