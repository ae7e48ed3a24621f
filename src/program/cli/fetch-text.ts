import { explainConnectionError } from '../../domain/values/explain-network-error.ts';

const timeoutMs = 5_000;
const maxBytes = 1_048_576;

export interface TextResponse {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Requests a URL for a command, and reads the response as text. Redirects are not followed by default.
 *
 * @throws an error whose message is the reason without a full stop, and its code if Node.js knows one
 */
export async function fetchText(url: string | URL, init: RequestInit = {}): Promise<TextResponse> {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...init,
    });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      bytes += chunk.length;
      // The loop cancels the rest.
      if (bytes > maxBytes) break;
    }
    const { status, headers } = response;
    return { status, headers, text: Buffer.concat(chunks).toString() };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error & { code?: string } };
    const reason = explainConnectionError(cause?.message || message, cause);
    throw Object.assign(new Error(reason), { code: cause?.code });
  }
}

/** @returns undefined for other texts than objects */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
