import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { ratioFor } from '@sluice/store/options/usable-groups'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import type { Dispatcher } from 'undici'
import type { AcceptedOnSocket } from '../../edge/exchange.ts'
import type { StageTimeouts } from '../../outbound/guarded-agent.ts'
import type { Authenticate } from '../caller/authenticate.ts'
import type { Admit } from '../caller/limits/admit.ts'
import type { LimitChannel } from '../caller/limits/limit.ts'
import { groupAt, isServedBy } from '../caller/served-groups.ts'
import { plainCounts } from '../calls/parsed-call.ts'
import { type ChargeDeps, chargeInTime, giveBackInTime } from '../charge/charge-in-time.ts'
import { CLIENT_GONE, failedTrace, settlementOf } from '../charge/ledger-rows.ts'
import { inPricedUnits } from '../charge/priced-units.ts'
import type { Reserve } from '../charge/reserve.ts'
import type { StreamTimes } from '../client/client-stream.ts'
import { tellGroup } from '../client/group-header.ts'
import { refuse, statusOf } from '../client/refuse.ts'
import type { RawTarget } from '../endpoints/targets.ts'
import { type CallInFlight, type InFlight } from '../in-flight/in-flight.ts'
import type { RecordRefusal } from '../record/record.ts'
import type { RelayOptions } from '../relay-options.ts'
import { groupOf } from '../stages/attempt.ts'
import { NOTHING_YET } from '../stages/authorised.ts'
import { endedRefusal, isStopped } from '../stages/call-stopped.ts'
import type { Identity } from '../stages/identity.ts'
import type { Candidate, Reservation } from '../stages/planned.ts'
import { passBody, writeRawHead } from './raw-answer.ts'
import { type RawChannel, type RawChannels, RAW_MODEL } from './raw-channels.ts'
import { isPlainPath, RAW_METHODS, type RawMethod, upstreamHeaders, upstreamPath } from './raw-request.ts'

export interface RawProxyDeps extends ChargeDeps {
  readonly authenticate: Authenticate
  readonly admit: Admit
  readonly limitChannel: LimitChannel
  readonly reserve: Reserve
  readonly recordRefusal: RecordRefusal
  readonly inFlight: Pick<InFlight, 'begin'>
  readonly rawChannels: () => RawChannels
  readonly upstreams: Dispatcher
  readonly options: () => Pick<RelayOptions, 'Groups'>
  readonly times: StageTimeouts & StreamTimes
  readonly now: () => number
}

interface RawCall extends Reservation {
  readonly accepted: AcceptedOnSocket
  readonly method: RawMethod
  readonly target: RawTarget
  readonly raw: RawChannel
  readonly identity: Identity
  readonly body: Buffer
  readonly flight: CallInFlight
  readonly parsed: { readonly model: string; readonly stream: boolean }
  readonly candidate: Pick<Candidate, 'upstreamModel' | 'quote' | 'group' | 'groupRatio'> & {
    readonly route: RawChannel
  }
}
const BAD_GATEWAY = 502
/** For billing, the request is one call. */
const ASKED = { model: RAW_MODEL, stream: true, bound: () => ({ counts: plainCounts(0, 0), open: false }) } as const

/**
 * `/v1/oneapi/proxy/{channel}/…`: any call to a channel of type Proxy, byte for byte, with the channel's key instead of the
 * caller's. The caller's key is subject to the same rules, limits, plan and ledger as everywhere: the channel must serve its group,
 * a list of models must contain `raw-proxy`, and each answered call is charged and logged, at zero unless the channel prices that
 * name.
 */
export async function relayRaw(
  deps: RawProxyDeps,
  accepted: AcceptedOnSocket,
  target: RawTarget,
): Promise<Refusal | undefined> {
  const method = RAW_METHODS.find((each) => each === accepted.method)
  if (method === undefined) {
    const params = { method: accepted.method, path: accepted.path, allowed: RAW_METHODS.join(', ') }
    return { code: 'method_not_allowed', params }
  }
  if (!isPlainPath(target.path)) return { code: 'raw_path_refused' }
  const identity = await deps.authenticate(accepted)
  if (isRefusal(identity)) return identity
  const { callerCredential } = identity
  if (callerCredential !== undefined) {
    return { code: 'caller_credential_not_taken', params: { header: callerCredential.header, model: RAW_MODEL } }
  }
  const raw = deps.rawChannels().find(target.channel)
  if (raw === undefined || !mayUse(identity, raw)) {
    return { code: 'raw_channel_missing', params: { channel: target.channel } }
  }
  if (identity.models?.has(RAW_MODEL) === false) return { code: 'model_not_allowed', params: { model: RAW_MODEL } }
  const flight = deps.inFlight.begin({ accepted, identity, parsed: ASKED })
  const admitted = await deps.admit(accepted, identity, undefined)
  if (isRefusal(admitted)) return admitted
  const limited = await deps.limitChannel(identity.tokenId, raw)
  if (limited !== undefined) return limited
  const { body, refusal } = await accepted.readBody(identity)
  if (body === undefined) return refusal
  const group = groupAt(identity, raw.channel.groups)
  const groupRatio = ratioFor(deps.options().Groups, identity.group, group ?? identity.group)
  const quote = raw.quote(accepted.received)
  const candidate = { route: raw, upstreamModel: RAW_MODEL, quote, group, groupRatio }
  flight.hasRead(body)
  const routed = { candidate, candidates: [candidate] }
  const call = await deps.reserve({ accepted, method, target, raw, identity, body, flight, parsed: ASKED, ...routed })
  if (isRefusal(call)) return call
  const unheld = await call.hold.pending
  if (unheld !== undefined) return unheld
  try {
    await serve(deps, call)
  } catch (error) {
    // Reached only after a bug: a hold left open would block the caller's money until this process ends.
    const times = { status: 500, forwarded: 0, completed: deps.now() }
    await deps.ledger.void(accepted.id, failedTrace(call, [], times))
    throw error
  }
  return undefined
}

/** The rule of any model: the channel serves one of the caller's groups and is not paused. An administrator can still pin it. */
function mayUse(identity: Identity, { channel }: RawChannel): boolean {
  const { pinnedChannel } = identity
  if (channel.status !== CHANNEL_STATUS.enabled) return false
  if (pinnedChannel !== undefined) return pinnedChannel === channel.id
  return channel.priority >= 0 && isServedBy(identity, channel.groups)
}

async function serve(deps: RawProxyDeps, call: RawCall): Promise<void> {
  const { accepted, method, target, raw, body } = call
  const started = deps.now()
  const attempt = { channel: raw.channel.id, channelName: raw.channel.name, started, ...groupOf(call.candidate) }
  const fail = async (status: number, error: string) => {
    const now = deps.now()
    const attempts = [{ ...attempt, ended: now, status, error }]
    const trace = failedTrace(call, attempts, { status, forwarded: started, completed: now })
    await giveBackInTime(deps, accepted.id, trace)
  }
  call.flight.asks(call.candidate)
  let answer: Dispatcher.ResponseData
  try {
    answer = await deps.upstreams.request({
      origin: raw.origin,
      path: upstreamPath(raw, target, accepted.query),
      method,
      headers: upstreamHeaders(accepted, raw),
      body: body.length === 0 ? null : body,
      signal: accepted.signal,
    })
  } catch (error) {
    const { signal } = accepted
    const hasStopped = isStopped(signal)
    const refusal = hasStopped ? endedRefusal(signal) : refusalOf(error, deps.times)
    const status = hasStopped ? statusOf({ refusal }) : BAD_GATEWAY
    await fail(accepted.reply.destroyed ? CLIENT_GONE : status, refusal.code)
    return refuseCall(deps, call, refusal)
  }
  // A provider that refuses the channel's key may reveal part of it.
  if (answer.statusCode === 401) {
    await answer.body.dump().catch(() => {})
    await fail(BAD_GATEWAY, 'upstream_rejected')
    const message = 'The provider rejected this channel’s credentials.'
    return refuseCall(deps, call, { code: 'upstream_rejected', params: { message } })
  }
  await deliver(deps, call, answer, { ...attempt, firstUpstream: deps.now() })
}

interface Begun {
  readonly channel: number
  readonly channelName: string
  readonly started: number
  readonly group?: string
  readonly firstUpstream: number
}

/** The last byte is sent once the call is charged, as everywhere. */
async function deliver(
  deps: RawProxyDeps,
  call: RawCall,
  answer: Dispatcher.ResponseData,
  begun: Begun,
): Promise<void> {
  const { accepted, candidate } = call
  const { reply, signal } = accepted
  call.flight.streams(() => NOTHING_YET)
  tellGroup(accepted, candidate.group)
  writeRawHead(accepted, answer)
  const ended = await passBody(accepted, answer.body, deps.times.clientStallMs).then(
    () => 'complete',
    () => {
      if (isStopped(signal)) return 'stopped'
      return signal.aborted || reply.destroyed ? 'client_gone' : 'upstream_broken'
    },
  )
  const now = deps.now()
  const status = ended === 'client_gone' ? CLIENT_GONE : answer.statusCode
  const { firstUpstream, ...tried } = begun
  const { started } = tried
  const attempts = [{ ...tried, ended: now, status: answer.statusCode, error: '' }]
  const bare = failedTrace(call, attempts, { status, forwarded: started, completed: now })
  const trace = { ...bare, firstUpstream, firstClient: firstUpstream, upstreamCompleted: now }
  const tokens = inPricedUnits(plainCounts(0, 0), candidate.quote.rates)
  if (answer.statusCode >= 400) {
    await giveBackInTime(deps, accepted.id, trace)
    finish(reply, ended === 'complete')
  } else {
    const booked = await chargeInTime(deps, settlementOf(call, { tokens, estimated: false, ended, now, trace }))
    if (booked === 'out_of_range') await giveBackInTime(deps, accepted.id, trace)
    finish(reply, ended === 'complete' && booked === 'charged')
  }
}

/** An answer that is incomplete or not charged must not look complete. */
function finish(reply: AcceptedOnSocket['reply'], isWhole: boolean): void {
  if (isWhole) reply.end()
  // For an HTTP/1.0 client (such as nginx by default), a closed connection is the end of the body.
  else if (!reply.chunkedEncoding && reply.socket !== null) reply.socket.resetAndDestroy()
  else reply.destroy()
}

function refuseCall(deps: RawProxyDeps, { accepted }: RawCall, refusal: Refusal): void {
  deps.recordRefusal(accepted, refusal)
  refuse(accepted, { refusal })
}

function refusalOf(error: unknown, times: StageTimeouts): Refusal {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const timeouts = {
    UND_ERR_CONNECT_TIMEOUT: times.connectTimeoutMs,
    UND_ERR_HEADERS_TIMEOUT: times.firstByteTimeoutMs,
  }
  const ms = Object.entries(timeouts).find(([name]) => name === code)?.[1]
  return ms === undefined
    ? { code: 'upstream_unreachable' }
    : { code: 'upstream_timeout', params: { seconds: ms / 1_000 } }
}
