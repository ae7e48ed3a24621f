import { createClient } from 'rostra-client';

const { BASE, KEY } = process.env;
if (!BASE || !KEY) throw new Error('Set the environment variables BASE and KEY.');

/** Waits for rate limits, and repeats requests after temporary errors. */
export const client = createClient({ baseUrl: BASE, apiKey: KEY });
