/** Which media types a client accepts (RFC 9110, 12.5.1). */

/** @returns the weight of each range that the header names, in lower case */
function readWeights(accept: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    weights.set(type, Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1));
  }
  return weights;
}

/** Browsers name HTML. Programs accept everything, or name JSON. */
export function prefersHtml(accept = ''): boolean {
  const weights = readWeights(accept);
  return (weights.get('text/html') ?? 0) > (weights.get('application/json') ?? 0);
}

/** Browsers do not name Markdown. Coding agents name it beside HTML, often with the same weight. */
export function prefersMarkdown(accept = ''): boolean {
  const weights = readWeights(accept);
  const weight = weights.get('text/markdown') ?? 0;
  return weight > 0 && weight >= (weights.get('text/html') ?? 0);
}
