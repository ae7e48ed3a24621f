/** @param text words between bars, so that long lists stay short enough to read */
export const splitWordList = (text: string): string[] => text.split('|').map((word) => word.trim());
