import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import { rangeList } from './address-range.ts'

export interface Callers {
  addressOf(request: IncomingMessage): string
  /** True when a trusted proxy says that the caller reached it over https. */
  isSecure(request: IncomingMessage): boolean
  /** IP address at the other end of the connection: the caller, or the last proxy. */
  peerOf(request: IncomingMessage): string
  isFromProxy(request: IncomingMessage): boolean
  /** True for the address of a trusted proxy. Absent where clients do not connect directly. */
  isProxy?(address: string): boolean
}

export function createCallers(trustedProxies: readonly string[]): Callers {
  const trusted = rangeList(trustedProxies)
  const isProxy = (address: string) => listHolds(trusted, plainAddress(address))
  return {
    isProxy,
    addressOf: ({ socket, headers }) => clientAddress(socket.remoteAddress, headers['x-forwarded-for'], trusted),
    isSecure: ({ socket, headers }) => cameOverHttps(socket.remoteAddress, headers['x-forwarded-proto'], trusted),
    peerOf: ({ socket }) => plainAddress(socket.remoteAddress ?? ''),
    isFromProxy: ({ socket }) => isProxy(socket.remoteAddress ?? ''),
  }
}

/** More hops than any real chain of proxies; the rest of a longer header is ignored. */
const MAX_HOPS = 32

/** True when the list contains the address, whichever family it is written in. */
function listHolds(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Reads `X-Forwarded-For` from the right and trusts it only as far as each hop is a listed proxy: any client can write it. */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusted: BlockList,
): string {
  let address = plainAddress(peer ?? '')
  if (forwardedFor === undefined || !listHolds(trusted, address)) return address
  const hops = (typeof forwardedFor === 'string' ? forwardedFor : forwardedFor.join(',')).split(',').slice(-MAX_HOPS)
  for (let i = hops.length - 1; i >= 0; i--) {
    const hop = plainAddress((hops[i] ?? '').trim())
    if (isIP(hop) === 0) return address
    address = hop
    if (!listHolds(trusted, address)) return address
  }
  return address
}

/** Reads the last entry, which the nearest proxy wrote itself; false unless that proxy is listed. */
export function cameOverHttps(
  peer: string | undefined,
  forwardedProto: string | readonly string[] | undefined,
  trusted: BlockList,
): boolean {
  if (forwardedProto === undefined || !listHolds(trusted, plainAddress(peer ?? ''))) return false
  const entries = typeof forwardedProto === 'string' ? forwardedProto.split(',') : forwardedProto
  return entries.at(-1)?.trim().toLowerCase() === 'https'
}

/** Removes port, brackets and the IPv4-in-IPv6 prefix that dual-stack sockets add. */
function plainAddress(text: string): string {
  let address = text
  if (address.startsWith('[')) address = address.slice(1, Math.max(1, address.indexOf(']')))
  else if (address.includes('.') && address.split(':').length === 2) address = address.slice(0, address.indexOf(':'))
  return address.toLowerCase().startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}
