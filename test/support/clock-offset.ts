/**
 * Preloaded into a process, it sets its clock off by TEST_CLOCK_SHIFT milliseconds: what another machine's clock
 * would show.
 */
const shift = Number(process.env.TEST_CLOCK_SHIFT);
const right = Date.now;

globalThis.Date = class extends Date {
  constructor(...given: [] | ConstructorParameters<typeof Date>) {
    if (given.length === 0) super(right() + shift);
    else super(...given);
  }

  static override now(): number {
    return right() + shift;
  }
} as DateConstructor;
