import { BlockList, isIP, isIPv6 } from 'node:net'

/** One IP address, or every address that shares its first `prefix` bits. */
interface AddressRange {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  /** Undefined for a single address. */
  readonly prefix: number | undefined
}

/** Whether the text is an IP address (`10.0.0.1`, `::1`) or a CIDR range (`10.0.0.0/8`). Zones (`fe80::1%eth0`) are refused. */
export function isAddressRange(text: string): boolean {
  return parseRange(text) !== undefined
}

/** Ranges as one look-up list. An unreadable entry matches nothing: a rule that is not understood must not let anyone in. */
export function rangeList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const range = parseRange(entry)
    if (range === undefined) continue
    if (range.prefix === undefined) list.addAddress(range.address, range.family)
    else list.addSubnet(range.address, range.prefix, range.family)
  }
  return list
}

function parseRange(text: string): AddressRange | undefined {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0 || address.includes('%')) return undefined
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) return { address, family, prefix: undefined }
  const prefix = /^(0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) : Infinity
  return prefix <= (version === 6 ? 128 : 32) ? { address, family, prefix } : undefined
}

/** The unit of per-address limits: the /64 of an IPv6 address, which one customer gets, or a single IPv4 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail.split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  return [...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
