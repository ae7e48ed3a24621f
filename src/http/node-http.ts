/**
 * The parts of `node:http` that servers use. An `import` of that module also loads the WebSocket client that it exports,
 * which takes 16 MB of memory (docs/decisions/0081-less-code-in-an-idle-server.md).
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
