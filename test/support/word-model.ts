/** Finds records by words as the contract describes it, slowly. It shares no code with src/contract/search-words.ts on purpose. */

/** Letters that are one letter with a stroke, or two letters in one, so that they do not consist of a letter and an accent. */
const otherLetters = new Map(
  Object.entries({ ẞ: 'ss', æ: 'ae', œ: 'oe', ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }),
);

/** Leaves out case and accents. The upper case of `ß` is `SS`, and that of both forms of sigma is the same. */
const simplify = (text: string) =>
  [...text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC')]
    .map((letter) => otherLetters.get(letter) ?? letter.toUpperCase())
    .flatMap((letter) => [...letter].map((upper) => upper.toLowerCase()))
    .map((letter) => otherLetters.get(letter) ?? letter)
    .join('');

const isWritten = /[\p{L}\p{N}]/u;
/** Written without spaces between words. */
const hasNoSpaces = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** @param word without white space @returns the parts that punctuation separates */
function separate(word: string): string[] {
  const parts: string[] = [];
  let isOpen = false;
  for (const letter of simplify(word)) {
    if (!isWritten.test(letter)) isOpen = false;
    else if (isOpen && !hasNoSpaces.test(letter)) parts[parts.length - 1] += letter;
    else {
      parts.push(letter);
      isOpen = !hasNoSpaces.test(letter);
    }
  }
  return parts;
}

const split = (text: string) => text.split(/\s+/).filter(Boolean);

/** @param texts of a record @param query value of the parameter `words` */
export function hasAllWords(texts: readonly (string | null | undefined)[], query: string): boolean {
  const written = texts.flatMap((text) => split(text ?? '').map(separate));
  return split(query)
    .map(separate)
    .filter((parts) => parts.length > 0)
    .every((parts) => {
      const wanted = parts.join('');
      const isShort = parts.length === 1 && [...wanted].length <= 2;
      return written.some((word) =>
        word.some((part, index) => {
          const rest = word.slice(index).join('');
          return isShort ? part === wanted || rest === wanted : rest.startsWith(wanted);
        }),
      );
    });
}
