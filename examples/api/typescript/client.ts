import { createClient } from 'rostra-client';

const { ROSTRA_URL, ROSTRA_KEY } = process.env;
if (!ROSTRA_URL || !ROSTRA_KEY) throw new Error('Set the environment variables ROSTRA_URL and ROSTRA_KEY.');

/** Waits for rate limits, and repeats requests after temporary errors. */
export const client = createClient({ baseUrl: ROSTRA_URL, apiKey: ROSTRA_KEY });
