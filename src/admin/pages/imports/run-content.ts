import type { SafeHtml } from '@remix-run/html-template';

/** The content of an import's page in one step. */
export interface RunContent {
  body: SafeHtml;
  /** Default: 200. */
  status?: number;
}
