/** Shifts the clock of this process. Import this file before the code that reads the clock. */
let offsetMs = Number(process.env.TEST_CLOCK_OFFSET_MS ?? 0);
const readClock = Date.now;

/** @param ms positive for a clock that runs ahead */
export function setClockOffset(ms: number): void {
  offsetMs = ms;
}

globalThis.Date = class extends Date {
  constructor(...given: [] | ConstructorParameters<typeof Date>) {
    if (given.length === 0) super(readClock() + offsetMs);
    else super(...given);
  }

  static override now(): number {
    return readClock() + offsetMs;
  }
} as DateConstructor;
