/** A self-signed certificate for 127.0.0.1 (RFC 5280 in DER, with an Ed25519 key of RFC 8410). */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

/** Encodes tag, length and value. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  // The shortest form: other readers than OpenSSL reject longer ones.
  const bytes = value.length < 256 ? [value.length] : [Math.floor(value.length / 256), value.length % 256];
  const length = value.length < 128 ? bytes : [0x80 + bytes.length, ...bytes];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const objectId = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const number = (value: number) => der(0x02, Buffer.from([value]));
const octets = (value: Buffer) => der(0x04, value);
const bits = (value: Buffer) => der(0x03, Buffer.from([0]), value);
const time = (text: string) => der(0x18, Buffer.from(text));

const commonName = objectId(0x55, 4, 3);
/** Each certificate has its own: OpenSSL takes one with the name of another for a certificate that the other signed. */
const createName = () =>
  sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(`127.0.0.1 ${randomUUID()}`)))));
const ed25519 = sequence(objectId(0x2b, 0x65, 0x70));
const alternativeName = sequence(
  objectId(0x55, 0x1d, 0x11),
  octets(sequence(der(0x87, Buffer.from([127, 0, 0, 1])))),
);
const isAuthority = sequence(objectId(0x55, 0x1d, 0x13), octets(sequence(der(0x01, Buffer.from([0xff])))));

/** @param until end of its validity, as `YYYYMMDDHHMMSSZ`. @returns key and certificate in PEM */
export function createSelfSignedCertificate(until = '21000101000000Z'): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const name = createName();
  const content = sequence(
    der(0xa0, number(2)),
    number(1),
    ed25519,
    name,
    sequence(time('20200101000000Z'), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName, isAuthority)),
  );
  const certificate = sequence(content, ed25519, bits(sign(null, content, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}
