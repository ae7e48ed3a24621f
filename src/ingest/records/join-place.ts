import { convertMarkupLine } from './html-to-text.ts';

/** Joins the parts of a place, such as room and street, by commas: each once, without the empty ones. */
export function joinPlace(parts: readonly string[]): string {
  const kept: string[] = [];
  const seen = new Set(['']);
  for (const part of parts.map(convertMarkupLine).flatMap((text) => text.split(', '))) {
    const text = part.trim();
    if (!seen.has(text.toLowerCase())) kept.push(text);
    seen.add(text.toLowerCase());
  }
  return kept.join(', ');
}
