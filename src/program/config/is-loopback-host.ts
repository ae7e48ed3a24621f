/** @param host a name, or an IP address without brackets. @returns whether only programs of this machine reach it */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);
