/** Preload this file: the clock that measures waits has a tenth of its speed, so that forms wait long enough on a busy machine. */
const now = performance.now.bind(performance);

performance.now = () => now() / 10;
