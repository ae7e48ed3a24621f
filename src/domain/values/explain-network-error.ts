/** What an operator can learn from an error of a connection whose message has only codes, or no remedy. */

export const ownAuthorityRemedy =
  'For a certificate of your own authority, set NODE_EXTRA_CA_CERTS to the file of its certificate';

/** @param code of an error of OpenSSL or Node.js */
export const isCertificateCode = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_/.test(code);

/**
 * @param reason the message of the error, without a full stop
 * @returns what the error, or a cause of it, means for a host name or a certificate; otherwise the reason. Without a full stop
 */
export function explainConnectionError(reason: string, error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code = '', hostname } = each as NodeJS.ErrnoException & { hostname?: string };
    if (code === 'ENOTFOUND' && hostname !== undefined) return `the host name ${hostname} does not exist`;
    if (code === 'EAI_AGAIN') return `no name server of this machine answers for the host name ${hostname}`;
    if (isCertificateCode(code)) return `${reason}. ${ownAuthorityRemedy}`;
  }
  return reason;
}
