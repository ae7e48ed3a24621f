const minVersion = 26;

/**
 * An older Node.js fails with obscure errors, or crashes in the driver of SQLite.
 *
 * @returns why the program cannot run on this Node.js
 */
export function explainUnsupportedNode(program: string): string | undefined {
  if (Number.parseInt(process.versions.node, 10) < minVersion)
    return `${program} needs Node.js ${minVersion} or newer; this is ${process.version}.`;
  // Some distributions build Node.js 26 without it.
  if (typeof Temporal === 'undefined')
    return `${program} needs Temporal, which this build of Node.js lacks: install one from nodejs.org.`;
  return undefined;
}
