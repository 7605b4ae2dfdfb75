import type { AddressGuard } from '../outbound/address-guard.ts'
import { type Observed, observeRequest, type ServerCertificate } from '../outbound/observed-request.ts'
import { type Arrival, ARRIVAL_HEADER, ARRIVAL_PATH, hashOf, proofOf, SECOND_PART } from './arrivals.ts'

export type OwnAddress =
  | { readonly state: 'unreachable'; readonly reason: string }
  | {
      /** Another program answered, or a gateway on another database. */
      readonly state: 'elsewhere'
      readonly status: number
      readonly certificate: ServerCertificate | undefined
    }
  | {
      readonly state: 'here'
      readonly certificate: ServerCertificate | undefined
      readonly arrival: Arrival
      /** Milliseconds between the last two parts of a streamed answer. */
      readonly gapMs: number
      /** The answer's Date header in unix milliseconds; undefined without one. */
      readonly date: number | undefined
      /** Status that refused a body of the largest size; 0 if it was accepted. */
      readonly bodyRefusal: number
      readonly passesUpgrades: boolean
    }

export interface OwnAddressDeps {
  readonly guard: AddressGuard
  readonly steady: () => number
  /** A new value of 64 hex digits each time. */
  readonly newValue: () => string
  /** Issues a value by its hash: for this many milliseconds, gateways of this database answer to it. */
  readonly putOut: (valueHash: string, lifeMs: number) => Promise<void>
  readonly takeBack: (valueHash: string) => Promise<void>
  /** Bytes of the largest body that the gateway accepts. */
  readonly bodyLimit: number
}

const TIMEOUT_MS = 3_000
/** Longer than all requests of one examination can take. */
const VALUE_LIFE_MS = 20_000
/** 413 is the usual status; some proxies close the connection, or answer 400 or 403. */
const REFUSALS: readonly number[] = [400, 403, 411, 413, 431]

/** Calls this gateway's public address with a value that only gateways of this database know, and examines what arrives. */
export async function askOwnAddress(deps: OwnAddressDeps, address: string, signal: AbortSignal): Promise<OwnAddress> {
  const { guard, steady, putOut, takeBack, bodyLimit } = deps
  const value = deps.newValue()
  const url = new URL(`${address.replace(/(?<!\/)\/+$/, '')}${ARRIVAL_PATH}`)
  const asked = { method: 'GET', url, headers: { [ARRIVAL_HEADER]: value }, timeoutMs: TIMEOUT_MS, signal } as const
  await putOut(hashOf(value), VALUE_LIFE_MS)
  try {
    const first = await observeRequest(guard, asked, steady)
    if (!first.ok) return { state: 'unreachable', reason: first.reason }
    const { status, certificate } = first
    const arrival = arrivalOf(first, value)
    if (arrival === undefined) return { state: 'elsewhere', status, certificate }
    const [again, body, upgraded] = await Promise.all([
      // A machine that was busy for a moment can also hold back a stream.
      gapOf(first) >= SURE_GAP_MS ? first : observeRequest(guard, asked, steady),
      observeRequest(guard, { ...asked, method: 'POST', announcedBytes: bodyLimit }, steady),
      observeRequest(guard, { ...asked, upgrade: true }, steady),
    ])
    return {
      state: 'here',
      certificate,
      arrival,
      gapMs: Math.max(gapOf(first), gapOf(again)),
      date: dateOf(first),
      bodyRefusal: body.ok && REFUSALS.includes(body.status) ? body.status : 0,
      // A gateway refuses a websocket here with a specific message; without the upgrade header, it answers normally.
      passesUpgrades: !upgraded.ok || arrivalOf(upgraded, value) === undefined,
    }
  } finally {
    await takeBack(hashOf(value))
  }
}

/** Parts with a longer gap did not arrive together. */
export const SURE_GAP_MS = 150

function gapOf(observed: Observed): number {
  if (!observed.ok) return 0
  const second = observed.pieces.find(({ text }) => text.includes(SECOND_PART))
  const last = observed.pieces.at(-1)
  return second === undefined || last === undefined ? 0 : last.at - second.at
}

function dateOf(observed: Observed): number | undefined {
  const date = observed.ok ? observed.headers['date'] : undefined
  const at = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** Undefined unless the answer proves that it is from a gateway that knows the value. */
function arrivalOf(observed: Observed, value: string): Arrival | undefined {
  if (!observed.ok || observed.status !== 200) return undefined
  const [, json = ''] = /^data: (\{.*\})$/m.exec(observed.pieces.map(({ text }) => text).join('')) ?? []
  try {
    const said = JSON.parse(json) as Partial<Arrival>
    return said.proof === proofOf(value) ? (said as Arrival) : undefined
  } catch {
    return undefined
  }
}
