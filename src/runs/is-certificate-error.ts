const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_/;

/** @param code of an error of OpenSSL or Node.js */
export const isCertificateError = (code: string): boolean => certificateCodes.test(code);
