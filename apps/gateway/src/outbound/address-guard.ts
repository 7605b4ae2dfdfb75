import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Whether channels may use private networks; metadata services are always refused. */
export type PrivatePolicy = 'allow' | 'deny'

/** Thrown instead of connecting. The message names no address: it can end up in a client's error text. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'SLUICE_ADDRESS_REFUSED'

  constructor() {
    super('the provider address is not allowed')
  }
}

export interface AddressGuard {
  /** Whether connections to this IP address are allowed. */
  allows(address: string): boolean
  /** A `lookup` for sockets: resolves once, checks all answers and returns exactly those, so that none can change (rebinding). */
  readonly lookup: LookupFunction
}

/**
 * Services that give a machine's cloud credentials to any caller. Their IPv6 addresses: all of `fd00:ec2::/32` is Amazon's, then
 * Google's, Oracle's and Scaleway's.
 */
const METADATA = [
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['fd00:ec2::', 32, 'ipv6'],
  ['fd20:ce::254', 128, 'ipv6'],
  ['fd00:c1::a9fe:a9fe', 128, 'ipv6'],
  ['fd00:42::42', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const

/** Addresses that are not global: https://www.iana.org/assignments/iana-ipv4-special-registry and its counterpart for IPv6. */
const PRIVATE = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  // Teredo, benchmarks and other IETF protocols; no provider has servers there.
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
] as const

/** The only part of IPv6 that is allocated to the public internet. Everything else, now or later, is private. */
const GLOBAL = ['2000::', 3, 'ipv6'] as const
/** These addresses embed an IPv4 address, which decides: mapped ones, and those of the well-known NAT64 prefix. */
const TRANSLATED = [
  ['::ffff:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
] as const

/** Never a provider, under any policy. */
const UNUSABLE = [
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['ff00::', 8, 'ipv6'],
] as const

/** `resolve` is the system's resolver, except in tests. */
export function createAddressGuard(policy: PrivatePolicy, resolve: typeof systemLookup = systemLookup): AddressGuard {
  const refused = new BlockList()
  const ranges = policy === 'deny' ? [...METADATA, ...UNUSABLE, ...PRIVATE] : [...METADATA, ...UNUSABLE]
  for (const [network, prefix, family] of ranges) refused.addSubnet(network, prefix, family)

  const open = new BlockList()
  for (const [network, prefix, family] of [GLOBAL, ...TRANSLATED]) open.addSubnet(network, prefix, family)

  const allows = (address: string): boolean => {
    const family = isIP(address)
    if (family === 0) return false
    if (family === 4) return !refused.check(address, 'ipv4')
    if (policy === 'deny' && !open.check(address, 'ipv6')) return false
    return !refused.check(address, 'ipv6') && !embeddedIPv4(address).some((inner) => refused.check(inner, 'ipv4'))
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

const nearby = { any: createAddressGuard('allow'), far: createAddressGuard('deny') }

/** Whether only `deny` refuses the address: those of this machine and of private networks. */
export function isPrivateAddress(address: string): boolean {
  return nearby.any.allows(address) && !nearby.far.allows(address)
}

/**
 * The IPv4 addresses at which a packet to this address can end up, for each way of embedding one in an IPv6 address: 6to4 (RFC
 * 3056), Teredo's server and client (RFC 4380), NAT64 (RFC 6052, 8215), SIIT (RFC 2765), ISATAP (RFC 5214), and compatible ones
 * (RFC 4291).
 */
function embeddedIPv4(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = expand(address)
  if (a === 0x2002) return [dotted(b, c)]
  if (a === 0x2001 && b === 0) return [dotted(c, d), dotted(g ^ 0xffff, h ^ 0xffff)]
  if (a === 0x64 && b === 0xff9b) {
    const inPrefixOf48 = dotted(d, ((e & 0xff) << 8) | (f >> 8))
    return c === 0 ? [dotted(g, h)] : [dotted(g, h), inPrefixOf48]
  }
  const isCompatible = (a | b | c | d) === 0 && (e === 0 || e === 0xffff) && (f === 0 || f === 0xffff)
  const isIsatap = f === 0x5efe && (e & 0xfdff) === 0
  return isCompatible || isIsatap ? [dotted(g, h)] : []
}

/** The eight groups of a valid IPv6 address. */
function expand(address: string): readonly number[] {
  const [plain = ''] = address.split('%')
  const text = plain.replace(
    /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_, a: string, b: string, c: string, d: string) => {
      return `${((Number(a) << 8) | Number(b)).toString(16)}:${((Number(c) << 8) | Number(d)).toString(16)}`
    },
  )
  const [head = '', tail] = text.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return groups(head)
  const left = groups(head)
  const right = groups(tail)
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

const dotted = (high: number, low: number) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
