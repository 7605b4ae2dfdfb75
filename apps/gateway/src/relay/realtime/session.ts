import { ERRORS, isRefusal, type Refusal } from '@sluice/contract/errors'
import { readClientEvent } from '@sluice/dialects/openai-realtime/client-event'
import { encodeRealtimeError, readServerEvent, type ServerEvent } from '@sluice/dialects/openai-realtime/server-event'
import type { FrameSocket } from '../../outbound/frame-socket.ts'
import type { Leave } from '../../process/live-set.ts'
import type { Log } from '../../process/logger.ts'
import { CLIENT_GONE } from '../charge/ledger-rows.ts'
import type { StreamTimes } from '../client/client-stream.ts'
import type { Beating, Pulse } from '../client/pulse.ts'
import { wireOfRefusal } from '../client/refuse.ts'
import type { PlanDeps } from '../routing/plan.ts'
import { endedRefusal, isStopped } from '../stages/call-stopped.ts'
import type { Candidate } from '../stages/planned.ts'
import type { RefuseForeign } from '../stored/find-stored.ts'
import { Lane, type Passed } from './lane.ts'
import { type SessionLedgerDeps, SessionLedger } from './session-ledger.ts'
import { type AdmittedSession, type Charges, type Ending, WHOLE } from './session-rows.ts'
import { checkSetup, refuseTools } from './session-setup.ts'
import { SessionSize } from './session-size.ts'

export interface SessionDeps extends SessionLedgerDeps {
  readonly refuseForeign: RefuseForeign
  readonly onUnpriced: PlanDeps['onUnpriced']
  readonly log: Log
  readonly pulse: Pulse
  readonly times: Pick<StreamTimes, 'clientStallMs'>
}

/** Providers end a session after an hour; this limit only applies to one that does not. */
const SESSION_LIMIT_MS = 3_900_000
/** How often the ledger learns the progress of a response, in case this process dies. */
const RENEW_MS = 15_000
/** How long to wait for the provider to count the responses after the client has left. */
const COUNT_MS = 2_000
/** RFC 6455, 7.4.1. */
const CLOSE = { done: 1000, leaving: 1001, unsupported: 1003, refused: 1008, failed: 1011, later: 1013 } as const

/** Runs a session over two paused sockets; resolves when they are closed and everything is charged. */
export function runSession(
  deps: SessionDeps,
  session: AdmittedSession,
  client: FrameSocket,
  upstream: FrameSocket,
): Promise<void> {
  // Resolving with a promise waits for it, and rejects with it.
  return new Promise((resolve) => {
    new RealtimeSession(deps, session, { client, upstream }, resolve).open()
  })
}

const STOPPING: Refusal = { code: 'shutting_down', retryAfter: 1 }

interface Ends {
  readonly client: FrameSocket
  readonly upstream: FrameSocket
}

class RealtimeSession implements Beating {
  readonly #deps: SessionDeps
  readonly #session: AdmittedSession
  readonly #ends: Ends
  readonly #finish: (done: Promise<void>) => void
  readonly #size = new SessionSize()
  readonly #ledger: SessionLedger
  /** Every model that was set to transcribe the user's speech, because a transcript is reported later than it is made. */
  readonly #writers = new Map<string, Candidate>()
  readonly #begun: number
  #renewedAt: number
  #isOver = false
  /** Set while waiting for the provider to count for a client that has left. */
  #counting: NodeJS.Timeout | undefined
  #leavePulse: Leave = () => {}
  /** The last ledger work; one step is done at a time, whichever side requests it. */
  #booking: Promise<unknown> = Promise.resolve()

  constructor(deps: SessionDeps, session: AdmittedSession, ends: Ends, finish: (done: Promise<void>) => void) {
    this.#deps = deps
    this.#session = session
    this.#ends = ends
    this.#finish = finish
    this.#ledger = new SessionLedger(deps, session, this.#size)
    this.#begun = deps.pulse.now()
    this.#renewedAt = this.#begun
  }

  open(): void {
    const { client, upstream } = this.#ends
    const { signal } = this.#session.accepted
    const onBug = (error: unknown) => this.#fail(error)
    const up = new Lane(client, upstream, (frame, isText) => this.#fromClient(frame, isText), onBug)
    const down = new Lane(upstream, client, (frame, isText) => this.#fromUpstream(frame, isText), onBug)
    // Responses that the provider has counted by then are charged by its count.
    client.onClose = () => down.afterAll(() => this.#leave())
    upstream.onClose = (code) => down.afterAll(() => this.#upstreamClosed(code))
    client.onDrain = upstream.onDrain = () => {
      up.goOn()
      down.goOn()
    }
    up.open()
    down.open()
    this.#leavePulse = this.#deps.pulse.add(this)
    // A client that ends the session also aborts, but announces its end first.
    const end = () => this.#refuse(endedRefusal(signal), isStopped(signal) ? CLOSE.refused : CLOSE.leaving)
    const stop = () => (this.#counting === undefined ? end() : undefined)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) return end()
    client.resume()
    upstream.resume()
  }

  beat(now: number): void {
    const { client, upstream } = this.#ends
    const { clientStallMs } = this.#deps.times
    client.beat(now, clientStallMs)
    upstream.beat(now, clientStallMs)
    const { upgrade } = this.#session.accepted
    // The best time to leave is between two responses.
    if (upgrade?.isUnwelcome === true && !this.#size.isRunning) return this.#refuse(STOPPING, CLOSE.leaving)
    if (now - this.#begun > SESSION_LIMIT_MS) {
      return this.#refuse({ code: 'session_too_long', params: { minutes: SESSION_LIMIT_MS / 60_000 } }, CLOSE.done)
    }
    if (now - this.#renewedAt < RENEW_MS) return
    this.#renewedAt = now
    this.#inTurn(() => this.#ledger.renew()).catch((error: unknown) => this.#fail(error))
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#booking.then(work)
    this.#booking = turn.catch(() => {})
    return turn
  }

  #fromClient(frame: Buffer, isText: boolean): Passed | Promise<Passed> {
    if (this.#isOver) return undefined
    if (!isText) return this.#refuse(mistake('body', 'frames must be text'), CLOSE.unsupported)
    const event = readClientEvent(frame)
    if ('fault' in event) return this.#tell(mistake('event', `must be a JSON event: ${event.fault}`), null)
    const foreign = this.#deps.refuseForeign(this.#session.identity, event.references)
    if (foreign !== undefined) return this.#tell(foreign, event.id)
    const barred = refuseTools(this.#session.candidate, 'response', () => ({ tools: event.responseTools() }))
    if (barred !== undefined) return this.#tell(barred, event.id)
    let passed: Passed = frame
    if (event.setup !== undefined) {
      const { identity, model, candidate } = this.#session
      const setup = checkSetup(this.#deps, { identity, model, candidate }, event.setup)
      if (isRefusal(setup)) return this.#tell(setup, event.id)
      passed = setup.frame
      const { transcription } = setup
      if (transcription !== undefined) this.#writers.set(transcription.upstreamModel, transcription)
    }
    this.#size.sent(event)
    return this.#ledger.isCovered ? passed : this.#inTurn(() => this.#afterGrowth(passed))
  }

  async #afterGrowth(passed: Passed): Promise<Passed> {
    const refusal = await this.#ledger.grow()
    return refusal === undefined ? passed : this.#refuse(refusal)
  }

  #fromUpstream(frame: Buffer, isText: boolean): Passed | Promise<Passed> {
    if (this.#isOver) return undefined
    if (!isText) return this.#refuse({ code: 'upstream_invalid', params: { reason: 'a frame is not text' } })
    const event = readServerEvent(frame)
    this.#size.received(event)
    switch (event.kind) {
      case 'begun':
        this.#ledger.sawBegin()
        return frame
      case 'part':
        this.#ledger.sawPart()
        return frame
      case 'done':
        return this.#inTurn(() => this.#afterCharge(frame, event))
      case 'error':
        // The provider has nothing left to stop, or cannot stop it.
        if (this.#counting !== undefined) this.#endLeft()
        return frame
      case 'transcribed':
        return this.#inTurn(() => this.#afterTranscript(frame, event))
      default:
        return frame
    }
  }

  /** The end of a response is sent once it is charged; then the next one is admitted. */
  async #afterCharge(frame: Buffer, done: Extract<ServerEvent, { kind: 'done' }>): Promise<Passed> {
    const { response, usage, isWhole } = done
    const isNothing = usage?.counts === undefined && !this.#size.hasParts(response) && !isWhole
    if (isNothing) {
      this.#size.ended(response, undefined)
      return frame
    }
    const unbooked = await this.#ledger.settle(response, usage, WHOLE)
    this.#size.ended(response, usage?.counts)
    if (unbooked !== undefined) return this.#refuse(unbooked)
    if (this.#counting !== undefined && !this.#size.isRunning) return this.#endLeft()
    this.#ends.client.send(frame)
    // A session that has ended in the meantime does not need another response.
    const refusal = this.#isOver ? undefined : await this.#ledger.next()
    return refusal === undefined ? undefined : this.#refuse(refusal)
  }

  async #afterTranscript(
    frame: Buffer,
    { usage, textBytes }: Extract<ServerEvent, { kind: 'transcribed' }>,
  ): Promise<Passed> {
    const writers = this.#writers
    const named = writers.size === 0 ? [this.#session.candidate] : [...writers.values()]
    const refusal = await this.#ledger.chargeTranscript(usage, textBytes, named)
    return refusal === undefined ? frame : this.#refuse(refusal)
  }

  /** Tells the provider to stop and to report its usage, which may include more than what has arrived, such as unplayed speech. */
  #leave(): void {
    const { ClientLeftPolicy: policy } = this.#deps.options()
    const { client, upstream } = this.#ends
    if (this.#isOver || policy === 'void' || !this.#size.hasParts() || upstream.isClosed) return this.#endLeft()
    this.#counting = setTimeout(() => this.#endLeft(), COUNT_MS)
    for (const id of this.#size.runningIds) {
      upstream.send(JSON.stringify({ type: 'response.cancel', ...(id === '' ? {} : { response_id: id }) }))
    }
    // The client's unread bytes must not hold the provider back.
    client.isFull = false
    upstream.resume()
  }

  #endLeft(): undefined {
    const { ClientLeftPolicy: policy } = this.#deps.options()
    const isEarly = this.#counting === undefined && this.#isOwedEarly()
    const ended = isEarly ? 'client_gone_early' : 'client_gone'
    this.#end(isEarly ? 'counted' : this.#partly(policy), { ended, status: CLIENT_GONE }, () => {
      this.#ends.upstream.close(CLOSE.done, '')
    })
  }

  #upstreamClosed(code: number): void {
    if (this.#counting !== undefined) return this.#endLeft()
    const isProper = code === CLOSE.done || code === CLOSE.leaving
    const { UpstreamBrokenPolicy: policy } = this.#deps.options()
    this.#end(this.#partly(policy), { ended: 'upstream_broken', status: BAD_GATEWAY }, () => {
      if (isProper) return this.#ends.client.close(CLOSE.done, 'the provider ended the session')
      const refusal: Refusal = { code: 'upstream_broken', params: { reason: 'the connection was closed' } }
      this.#tell(refusal, null)
      this.#ends.client.close(CLOSE.failed, refusal.code)
    })
  }

  /** No part of a response has arrived, and a setting charges for its input in that case. */
  #isOwedEarly(): boolean {
    const { ClientLeftEarlyPolicy: early } = this.#deps.options()
    return early === 'prompt' && this.#size.isAwaited && !this.#size.hasParts()
  }

  #partly(policy: string): Charges {
    if (!this.#size.hasParts()) return 'void'
    return policy === 'void' ? 'nothing' : 'counted'
  }

  #refuse(refusal: Refusal, code: number = closeCodeOf(refusal)): undefined {
    const { status } = ERRORS[refusal.code]
    // Stopping a response must not be cheaper than leaving it.
    const isEarly = refusal.code === 'call_stopped' && this.#isOwedEarly()
    const ended = isEarly ? 'stopped_early' : endingOf(refusal)
    this.#end(isEarly ? 'counted' : this.#partly('counted'), { ended, status }, () => {
      this.#tell(refusal, null)
      this.#ends.client.close(code, refusal.code)
      this.#ends.upstream.close(CLOSE.done, '')
    })
  }

  #tell(refusal: Refusal, eventId: string | null): undefined {
    const { id } = this.#session.accepted
    this.#ends.client.send(encodeRealtimeError(wireOfRefusal(refusal), id, eventId))
  }

  #fail(error: unknown): void {
    this.#deps.log.error({ error, requestId: this.#session.accepted.id }, 'a realtime session failed unexpectedly')
    this.#refuse({ code: 'internal' })
  }

  #end(charges: Charges, ending: Ending, close: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#counting)
    this.#leavePulse()
    const { accepted, candidate } = this.#session
    const fields = { requestId: accepted.id, channel: candidate.route.channel.id, ended: ending.ended }
    this.#deps.log.debug(fields, 'a realtime session ended')
    // The end of a response that is not charged is never sent.
    this.#finish(this.#inTurn(() => this.#ledger.close(charges, ending)).finally(close))
  }
}

function endingOf({ code }: Refusal): string {
  if (code === 'call_stopped') return 'stopped'
  return ERRORS[code].type === 'insufficient_quota' ? 'quota_exhausted' : 'gateway_stopped'
}

function mistake(field: string, rule: string): Refusal {
  return { code: 'invalid_body', params: { field, rule }, field }
}

const BAD_GATEWAY = 502
const TOO_MANY = 429

function closeCodeOf({ code }: Refusal): number {
  const { status } = ERRORS[code]
  if (code === 'internal' || status === BAD_GATEWAY) return CLOSE.failed
  return status >= 500 || status === TOO_MANY ? CLOSE.later : CLOSE.refused
}
