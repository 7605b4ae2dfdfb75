import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Whether channels may point at private networks; metadata services are refused in any case. */
export type PrivatePolicy = 'allow' | 'deny'

/** Raised instead of connecting. The message names no address: it may end in a client's error text. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'SLUICE_ADDRESS_REFUSED'

  constructor() {
    super('the provider address is not allowed')
  }
}

/** Checks a literal address, or undefined when it may be connected to. */
export interface AddressGuard {
  /** True when this IP address may be connected to. */
  allows(address: string): boolean
  /**
   * A `lookup` for sockets: resolves once, checks every answer and hands on those very answers, so nothing can change
   * between check and use (rebinding).
   */
  readonly lookup: LookupFunction
}

/** Services that hand out a machine's cloud credentials to whoever asks. */
const METADATA = [
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['fd00:ec2::254', 128, 'ipv6'],
  ['fd20:ce::254', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const

const PRIVATE = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
] as const

/** Never a provider, whatever the policy. */
const UNUSABLE = [
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['ff00::', 8, 'ipv6'],
] as const

/** `resolve` is the system's resolver unless a test says otherwise. */
export function addressGuard(policy: PrivatePolicy, resolve: typeof systemLookup = systemLookup): AddressGuard {
  const refused = new BlockList()
  const ranges = policy === 'deny' ? [...METADATA, ...UNUSABLE, ...PRIVATE] : [...METADATA, ...UNUSABLE]
  for (const [network, prefix, family] of ranges) refused.addSubnet(network, prefix, family)

  const allows = (address: string): boolean => {
    const family = isIP(address)
    if (family === 0) return false
    if (family === 4) return !refused.check(address, 'ipv4')
    const inner = embeddedIPv4(address)
    return !refused.check(address, 'ipv6') && (inner === undefined || !refused.check(inner, 'ipv4'))
  }

  const lookup: LookupFunction = (hostname, options: LookupOptions, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, [])
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => allows(address))) {
        return callback(new AddressRefused(), [])
      }
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
  return { allows, lookup }
}

/** The IPv4 address inside a translated one (`64:ff9b::/96`, `2002::/16`); mapped ones are known to BlockList itself. */
function embeddedIPv4(address: string): string | undefined {
  const groups = expand(address)
  const [first = 0, second = 0] = groups
  if (first === 0x64 && second === 0xff9b) return dotted(groups[6] ?? 0, groups[7] ?? 0)
  if (first === 0x2002) return dotted(second, groups[2] ?? 0)
  const isCompatible = groups.slice(0, 6).every((group) => group === 0)
  return isCompatible ? dotted(groups[6] ?? 0, groups[7] ?? 0) : undefined
}

/** The eight groups of a valid IPv6 address. */
function expand(address: string): readonly number[] {
  const [plain = ''] = address.split('%')
  const text = plain.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) => {
    return `${((Number(a) << 8) | Number(b)).toString(16)}:${((Number(c) << 8) | Number(d)).toString(16)}`
  })
  const [head = '', tail] = text.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return groups(head)
  const left = groups(head)
  const right = groups(tail)
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

const dotted = (high: number, low: number) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
