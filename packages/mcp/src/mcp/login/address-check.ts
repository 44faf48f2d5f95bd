/** Finds the IP addresses of a host name. Rejects if there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Networks of this computer, of a private network or of no single host (RFC 6890). */
const INSIDE: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 9, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

/** Names of hosts that are never public. */
const LOCAL_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/;

/**
 * Checks the addresses to which the metadata of a server leads. A public server must not lead to this computer
 * or to its network: a request there could do what the server cannot. `resolve`: for tests.
 */
export class AddressCheck {
  readonly #server: URL;
  readonly #resolve: Resolve;

  constructor(serverUrl: string, resolve: Resolve = systemAddresses) {
    this.#server = new URL(serverUrl);
    this.#resolve = resolve;
  }

  /** Rejects if the server must not lead there. */
  async allow(target: URL): Promise<void> {
    if (target.origin === this.#server.origin || isInsideByName(this.#server)) return;
    // Without TLS, a name could get another IP address after this check. With it, another host has no certificate.
    if (target.protocol !== 'https:')
      throw new Error(`the server leads to ${target.origin}, which is no https address`);
    if (!(await this.#leadsInside(target)) || (await this.#isInside())) return;
    throw new Error(
      `the server is public and leads to ${target.origin}, an address of this computer or of a private network`,
    );
  }

  async #leadsInside(target: URL): Promise<boolean> {
    if (isInsideByName(target)) return true;
    const addresses = await this.#resolve(target.hostname).catch(() => []);
    return addresses.some(isInside);
  }

  /** Whether the server itself is in a private network. */
  async #isInside(): Promise<boolean> {
    const addresses = await this.#resolve(this.#server.hostname).catch(() => []);
    return addresses.length > 0 && addresses.every(isInside);
  }
}

/** Whether the host of an address says that it is not public. `URL` writes every form of an IP address in one way. */
function isInsideByName({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const { isIP } = process.getBuiltinModule('node:net');
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : isInside(host);
}

/** Whether an IP address is of this computer or of a private network. */
export function isInside(address: string): boolean {
  const { BlockList, isIPv4, isIPv6 } = process.getBuiltinModule('node:net');
  const inside = new BlockList();
  for (const network of INSIDE) inside.addSubnet(...network);
  if (isIPv4(address)) return inside.check(address, 'ipv4');
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return true;
  // An IPv4 address that is written as IPv6 is checked by `BlockList` itself.
  if (inside.check(bare, 'ipv6')) return true;
  const embedded = embeddedAddress(bare);
  return embedded !== undefined && inside.check(embedded, 'ipv4');
}

/** The IPv4 address in an address of NAT64 (RFC 6052), of 6to4 (RFC 3056), or in one "compatible" with IPv4. */
function embeddedAddress(address: string): string | undefined {
  const { hostname } = new URL(`http://[${address}]`);
  const [before = '', after = ''] = hostname.slice(1, -1).split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [head, tail] = [groups(before), groups(after)];
  const zeros = new Array<number>(8 - head.length - tail.length).fill(0);
  const all = [...head, ...zeros, ...tail];
  const isAfter = (prefix: readonly number[]): boolean =>
    prefix.every((group, at) => all[at] === group);
  if (isAfter([0x2002])) return dotted(all[1], all[2]);
  const isNat64 = isAfter([0x64, 0xff9b, 0, 0, 0, 0]) || isAfter([0x64, 0xff9b, 1]);
  return isNat64 || isAfter([0, 0, 0, 0, 0, 0]) ? dotted(all[6], all[7]) : undefined;
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  const found = await process.getBuiltinModule('node:dns/promises').lookup(host, { all: true });
  return found.map(({ address }) => address);
}
