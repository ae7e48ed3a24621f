/** Addresses and networks of the Internet Protocol, as settings name them. */
import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * @param ranges IP addresses, and ranges such as `10.0.0.0/8` (RFC 4632, RFC 4291)
 * @returns whether an address is among them
 * @throws if one of them is neither
 */
export function createAddressCheck(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d+))?$/.exec(range) ?? [];
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    // Without the link, as in `fe80::1%eth0`.
    const [plain = ''] = address.split('%');
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}
