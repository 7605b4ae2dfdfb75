import { BlockList, isIP } from 'node:net'
import type { Found } from '@sluice/contract/findings/catalogue'
import { rangeList } from '../../edge/address-range.ts'
import type { ServerCertificate } from '../../outbound/observed-request.ts'
import { type OwnAddress, SURE_GAP_MS } from '../ask-own-address.ts'
import { type Check, orWell } from '../check.ts'
import { dayText, sizeText } from '../in-words.ts'

export interface AddressFacts {
  /** Option `ServerAddress`, and its default. */
  readonly address: () => string
  readonly initialAddress: string
  /** SLUICE_HOST and SLUICE_TRUSTED_PROXIES. */
  readonly host: string
  readonly trustedProxies: readonly string[]
  /** SLUICE_BASE_PATH. */
  readonly basePath: string
  /** Bytes of the largest body that the gateway accepts. */
  readonly bodyLimit: number
  readonly ask: (address: string, signal: AbortSignal) => Promise<OwnAddress>
  /** Whether a gateway is running that could answer. */
  readonly isRunning: () => Promise<boolean>
  /** Unix milliseconds. */
  readonly now: () => number
}

const DAY_MS = 86_400_000
/** Certificates are normally renewed earlier than this. */
const EXPIRES_SOON_DAYS = 14
/** Date headers have whole seconds, and the request takes some time. */
const DATE_TOLERATED_MS = 5_000

/** Checks the address that users open: whether it leads here, its certificate, and how proxies change requests. */
export function addressCheck(facts: AddressFacts): Check {
  return {
    name: 'address',
    examine: async (signal) => {
      const address = facts.address()
      const url = URL.parse(address)
      const always = trustsAll(facts.trustedProxies)
      const isOpen = isAnywhere(facts.host)
      if (url === null || address === facts.initialAddress) {
        return [...always, { id: isOpen ? 'address.local' : 'address.unset', subject: address }]
      }
      const form = [...formOf(url, address, isOpen), ...pathOf(url, address, facts.basePath)]
      if (!(await facts.isRunning())) return [...always, ...form]
      const seen = await facts.ask(address, signal)
      const outside = [...form, ...answerOf(seen, address), ...certificateOf(seen, address, facts.now())]
      if (seen.state !== 'here') return [...always, ...outside]
      const onTheWay = [...always, ...headersOf(seen, url), ...passageOf(seen, address, facts.bodyLimit)]
      return [
        ...orWell([...outside, ...dateOf(seen.date, address, facts.now())], wellOf(seen.certificate, address)),
        ...orWell(onTheWay, { id: 'proxy.ok', subject: address }),
      ]
    },
  }
}

export function isAnywhere(host: string): boolean {
  return host !== 'localhost' && !isLoopback(host)
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(plain)
  return plain === 'localhost' || (family !== 0 && loopback.check(plain, family === 6 ? 'ipv6' : 'ipv4'))
}

function trustsAll(proxies: readonly string[]): readonly Found[] {
  return proxies
    .filter((range) => range.endsWith('/0') && rangeList([range]).rules.length > 0)
    .map((subject): Found => ({ id: 'proxy.trusts_all', subject }))
}

function formOf(url: URL, address: string, isOpen: boolean): readonly Found[] {
  if (isLoopback(url.hostname)) return isOpen ? [{ id: 'address.local', subject: address }] : []
  return url.protocol === 'http:' ? [{ id: 'address.plain', subject: address }] : []
}

/** Links use the path of the address, but the console expects its files and calls below the base path. */
function pathOf({ pathname }: URL, subject: string, basePath: string): readonly Found[] {
  const path = pathname.replace(/(?<!\/)\/+$/, '').replace(/^\/$/, '')
  if (path === basePath) return []
  if (basePath === '') return [{ id: 'address.path_unset', subject, params: { path } }]
  return [{ id: 'address.path_differs', subject, params: { base: basePath } }]
}

function answerOf(seen: OwnAddress, subject: string): readonly Found[] {
  if (seen.state === 'unreachable') return [{ id: 'address.unreachable', subject, params: { reason: seen.reason } }]
  return seen.state === 'elsewhere' ? [{ id: 'address.elsewhere', subject, params: { status: seen.status } }] : []
}

function certificateOf(seen: OwnAddress, subject: string, now: number): readonly Found[] {
  if (seen.state === 'unreachable' || seen.certificate === undefined) return []
  const { validUntil, distrust } = seen.certificate
  const until = dayText(validUntil)
  if (validUntil <= now) return [{ id: 'address.expired', subject, params: { until } }]
  const days = Math.floor((validUntil - now) / DAY_MS)
  return [
    ...(distrust === '' ? [] : [{ id: 'address.certificate', subject, params: { reason: distrust } } as const]),
    ...(days >= EXPIRES_SOON_DAYS ? [] : [{ id: 'address.expires', subject, params: { days, until } } as const]),
  ]
}

function wellOf(certificate: ServerCertificate | undefined, subject: string): Found {
  if (certificate === undefined) return { id: 'address.ok', subject }
  return { id: 'address.ok_until', subject, params: { until: dayText(certificate.validUntil) } }
}

function dateOf(date: number | undefined, subject: string, now: number): readonly Found[] {
  const off = date === undefined ? 0 : Math.abs(date - now)
  return off > DATE_TOLERATED_MS ? [{ id: 'address.date', subject, params: { seconds: Math.round(off / 1_000) } }] : []
}

/** Checks a proxy's headers about the client. The gateway does not speak TLS, so an https address implies a proxy. */
function headersOf({ arrival }: Extract<OwnAddress, { state: 'here' }>, url: URL): readonly Found[] {
  const { peer, isTrusted, forwardedFor, isSecure, host } = arrival
  // Many proxies omit the port, and nothing depends on it.
  const hostChanged: readonly Found[] =
    URL.parse(`http://${host}`)?.hostname === url.hostname
      ? []
      : [{ id: 'proxy.host', subject: url.hostname, params: { host } }]
  if (forwardedFor !== '' && !isTrusted) return [{ id: 'proxy.untrusted', subject: peer }, ...hostChanged]
  if (url.protocol !== 'https:') return hostChanged
  return [
    ...(forwardedFor === '' ? [{ id: 'proxy.no_client', subject: peer } as const] : []),
    ...(isSecure ? [] : [{ id: 'proxy.no_proto', subject: peer } as const]),
    ...hostChanged,
  ]
}

function passageOf(
  { gapMs, bodyRefusal, passesUpgrades }: Extract<OwnAddress, { state: 'here' }>,
  subject: string,
  bodyLimit: number,
): readonly Found[] {
  const params = { size: sizeText(bodyLimit), status: bodyRefusal }
  return [
    ...(gapMs >= SURE_GAP_MS ? [] : [{ id: 'proxy.buffers', subject } as const]),
    ...(bodyRefusal === 0 ? [] : [{ id: 'proxy.body', subject, params } as const]),
    ...(passesUpgrades ? [] : [{ id: 'proxy.upgrade', subject } as const]),
  ]
}
