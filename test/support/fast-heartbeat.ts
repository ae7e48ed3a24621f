/** Preload this file to shorten intervals of ten seconds in a process. */
import { shortenTenSecondIntervals } from './shorten-ten-second-intervals.ts';

shortenTenSecondIntervals({ after: () => undefined });
