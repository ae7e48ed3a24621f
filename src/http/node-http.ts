/**
 * The parts of `node:http` that servers use. An `import` of that module would also load its WebSocket client
 * (docs/decisions/0081-less-memory-of-a-server.md).
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
