import { BlockList, isIPv6 } from 'node:net'
import type { Context } from 'hono'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Headers that a proxy adds. Any of them on a request from this machine means that the caller is elsewhere. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/**
 * True when a person at this machine sends the request. The address alone does not prove that: behind a local proxy that is not
 * declared trusted, everyone comes from 127.0.0.1. Signs of a proxy therefore make it false: its headers, or a name other than this
 * machine's in `Host` or `Origin`.
 */
export function isFromThisMachine(context: Context, address: string): boolean {
  if (!isLoopback(address)) return false
  if (PROXY_HEADERS.some((name) => context.req.header(name) !== undefined)) return false
  const origin = context.req.header('origin')
  return isOwnName(`http://${context.req.header('host') ?? ''}`) && (origin === undefined || isOwnName(origin))
}

export function isLoopback(address: string): boolean {
  return loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function isOwnName(address: string): boolean {
  if (!URL.canParse(address)) return false
  const name = new URL(address).hostname
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
}
