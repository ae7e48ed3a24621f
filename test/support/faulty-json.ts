/** Preload this file to make `JSON.parse` return a value that throws on access, for one JSON text. */
const original = JSON.parse;

JSON.parse = (text: string, ...rest: []) =>
  text === '"meet a fault"'
    ? {
        get data() {
          throw new TypeError('a fault of a test');
        },
      }
    : original(text, ...rest);
