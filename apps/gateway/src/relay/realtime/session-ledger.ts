import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { HoldAnswer } from '@sluice/ledger/ledger'
import type { Settlement } from '@sluice/ledger/operation'
import { mq } from '@sluice/ledger/units'
import { ratioFor } from '@sluice/store/options/usable-groups'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import { holdRefusal } from '../../tokens/refusals.ts'
import type { Authenticate } from '../caller/authenticate.ts'
import type { CallerCounts } from '../caller/limits/admit.ts'
import { noGroupLeft } from '../caller/served-groups.ts'
import { plainCounts } from '../calls/parsed-call.ts'
import { type ChargeDeps, chargeInTime, giveBackInTime, inTime } from '../charge/charge-in-time.ts'
import { chargeAtMost } from '../charge/hold-size.ts'
import { inPricedUnits } from '../charge/priced-units.ts'
import type { Reserve, Reservable } from '../charge/reserve.ts'
import type { RelayLedger } from '../guard/guarded-ledger.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import type { Identity } from '../stages/identity.ts'
import type { Candidate, Reservation } from '../stages/planned.ts'
import {
  type AdmittedSession,
  type Charges,
  countTranscript,
  type Ending,
  type OpenHold,
  settlementOfResponse,
  traceOfResponse,
  type Used,
  WHOLE,
} from './session-rows.ts'
import type { SessionSize } from './session-size.ts'

export interface SessionLedgerDeps extends ChargeDeps {
  readonly authenticate: Authenticate
  readonly callerCounts: CallerCounts
  readonly reserve: Reserve
  readonly ledger: RelayLedger
  readonly options: () => RelayOptions
  readonly routing: () => RoutingTable
  readonly now: () => number
  /** 32 hex characters. */
  readonly newId: () => string
}

/** The hold covers twice what was sent, if there is enough quota. */
const AHEAD = 2

/**
 * Charges a session. The next response always has a hold; each response is settled before the client sees its end, and the next one
 * is admitted by the rules of any request: the key's, its limits, its quota and budgets.
 */
export class SessionLedger {
  readonly #deps: SessionLedgerDeps
  readonly #session: AdmittedSession
  readonly #size: SessionSize
  /** The candidate, with the price of the current response. */
  #candidate: Candidate
  #open: OpenHold | undefined

  constructor(deps: SessionLedgerDeps, session: AdmittedSession, size: SessionSize) {
    const { accepted, hold, unlogged, session: named } = session
    this.#deps = deps
    this.#session = session
    this.#size = size
    this.#candidate = session.candidate
    this.#open = { accepted, hold, unlogged, session: named, begun: 0, firstPart: 0 }
  }

  sawBegin(): void {
    if (this.#open !== undefined && this.#open.begun === 0) this.#open.begun = this.#deps.now()
  }

  sawPart(): void {
    if (this.#open !== undefined && this.#open.firstPart === 0) this.#open.firstPart = this.#deps.now()
  }

  /** True if the hold covers what was sent so far; otherwise call `grow`. */
  get isCovered(): boolean {
    return this.#open === undefined || this.#most() <= this.#open.hold.amount
  }

  async grow(): Promise<Refusal | undefined> {
    const open = this.#open
    if (open === undefined || this.isCovered) return undefined
    let answer: HoldAnswer = 'unavailable'
    for (const ahead of [AHEAD, 1]) {
      const amount = mq(this.#most(ahead))
      answer = await this.#deps.ledger.extend(open.accepted.id, amount)
      if (answer !== 'held') continue
      open.hold.amount = amount
      return undefined
    }
    // Replicas that considered this process dead have closed the hold.
    return answer === 'stale' ? { code: 'ledger_unavailable' } : holdRefusal(answer)
  }

  /** Charges the response that ended, under the provider's id for it. */
  async settle(response: string, report: UsageReport | undefined, ending: Ending): Promise<Refusal | undefined> {
    const open = this.#open
    if (open === undefined) return undefined
    const counts = report?.counts ?? this.#size.estimate(response)
    const refusal = await this.#record(this.#settlement(open, this.#candidate, { report, counts }, ending))
    this.#open = undefined
    return refusal
  }

  /** Admits the next response. If refused, a parallel response is still charged: a charge does not need a hold. */
  async next(): Promise<Refusal | undefined> {
    const id = this.#deps.newId()
    const held = await this.#holdNext(id)
    const isRefused = isRefusal(held)
    if (isRefused && !this.#size.hasParts()) return held
    const { accepted, unlogged, session } = this.#session
    const reservation = isRefused ? { hold: { ...NO_HOLD }, unlogged, session } : held
    this.#open = { ...reservation, accepted: { ...accepted, id, received: this.#deps.now() }, begun: 0, firstPart: 0 }
    return isRefused ? held : undefined
  }

  async #holdNext(id: string): Promise<Reservation | Refusal> {
    const identity = await this.#admit()
    if (isRefusal(identity)) return identity
    const candidate = this.#priced(identity)
    this.#candidate = candidate
    const parsed = { stream: true, bound: () => this.#size.bound(candidate.quote) }
    return await this.#reserve(id, parsed, candidate)
  }

  /**
   * Charges another model's transcript of the user's speech, in one step because it is reported only when it is done. If several
   * models may have written it, the most expensive one counts, because the client decides when to change the model.
   */
  async chargeTranscript(
    report: UsageReport | undefined,
    textBytes: number,
    writers: readonly Candidate[],
  ): Promise<Refusal | undefined> {
    const counts = report?.counts ?? countTranscript(textBytes)
    if (counts === undefined) return undefined
    const id = this.#deps.newId()
    const { accepted } = this.#session
    const { groupRatio } = this.#candidate
    const priceOf = ({ quote }: Candidate) => chargeAtMost(inPricedUnits(counts, quote.rates), quote, groupRatio)
    const dearest = writers.reduce((most, each) => (priceOf(each) > priceOf(most) ? each : most))
    const writer = { ...dearest, groupRatio }
    const parsed = { stream: true, bound: () => ({ counts: plainCounts(0, 0), open: true }) }
    const held = await this.#reserve(id, parsed, writer)
    if (isRefusal(held)) return held
    const now = this.#deps.now()
    const open = { ...held, accepted: { ...accepted, id, received: now }, begun: now, firstPart: now }
    return await this.#record(this.#settlement(open, writer, { report, counts }, WHOLE))
  }

  /** Renews what recovery would charge if this process died during a response. */
  async renew(): Promise<void> {
    const open = this.#open
    if (open === undefined || !this.#size.isRunning) return
    const { ledger, after } = this.#deps
    // The session's other ledger work waits for this, so the wait is bounded.
    await inTime(after, ledger.renew(this.#settlement(open, this.#candidate, {}, DIED)), undefined)
  }

  /** Ends the session: releases the hold, or charges the input and output of an interrupted response. */
  async close(charges: Charges, ending: Ending): Promise<void> {
    const open = this.#open
    if (open === undefined) return
    this.#open = undefined
    if (charges === 'void') {
      await giveBackInTime(
        this.#deps,
        open.accepted.id,
        traceOfResponse(this.#session, open, undefined, ending.status, this.#deps.now()),
      )
    } else {
      const isCounted = charges === 'counted'
      const counts = isCounted ? this.#size.estimate() : plainCounts(0, 0)
      const ended = isCounted ? ending.ended : `${ending.ended}_void`
      await this.#record(this.#settlement(open, this.#candidate, { counts }, { ...ending, ended }))
    }
  }

  /** Each response is charged at the price and group ratio in force when it runs. */
  #priced({ group: userGroup }: Identity): Candidate {
    const { route, upstreamModel, group } = this.#candidate
    const quote = route.quote(upstreamModel, this.#deps.now())
    const own = this.#session.identity.group
    const { Groups: groups } = this.#deps.options()
    const groupRatio = group === undefined ? ratioFor(groups, own, own) : ratioFor(groups, userGroup, group)
    return { ...this.#candidate, groupRatio, ...(quote === 'missing' ? {} : { quote }) }
  }

  /** As for every request; the session's channel and key must also still serve the session's group. */
  async #admit(): Promise<Identity | Refusal> {
    const { accepted, model, identity: known } = this.#session
    const { group, route } = this.#candidate
    const { channel, key } = route
    const found = this.#deps.routing().channel(channel.id)
    const isOn = found?.routes?.some((route) => route.key.fingerprint === key.fingerprint) === true
    if (found?.snapshot.status !== CHANNEL_STATUS.enabled || !isOn)
      return { code: 'no_channel', params: { model, group: group ?? known.group } }
    const identity = await this.#deps.authenticate(accepted)
    if (isRefusal(identity)) return identity
    if (identity.models?.has(model) === false) return { code: 'model_not_allowed', params: { model } }
    if (!isStillServed(identity, group, known.group)) return noGroupLeft([group ?? known.group])
    return (await this.#deps.callerCounts.request(identity, 0)) ?? identity
  }

  async #reserve(id: string, parsed: Reservable['parsed'], candidate: Candidate): Promise<Reservation | Refusal> {
    const { identity, accepted } = this.#session
    const { headers } = accepted
    const held = await this.#deps.reserve({ accepted: { id, headers }, identity, parsed, candidates: [candidate] })
    if (isRefusal(held)) return held
    const refusal = await held.hold.pending
    return refusal ?? held
  }

  #most(ahead = 1): bigint {
    const { quote, groupRatio } = this.#candidate
    return chargeAtMost(this.#size.bound(quote, ahead).counts, quote, groupRatio)
  }

  async #record(settlement: Settlement): Promise<Refusal | undefined> {
    const answer = await chargeInTime(this.#deps, settlement)
    if (answer === 'charged') {
      this.#deps.callerCounts.tokensUsed(this.#session.identity, settlement.tokens)
      return undefined
    }
    if (answer === 'unavailable') return { code: 'ledger_unavailable' }
    await giveBackInTime(this.#deps, settlement.requestId, settlement.trace)
    return { code: 'internal' }
  }

  #settlement(open: OpenHold, candidate: Candidate, used: Used, ending: Ending): Settlement {
    const counts = used.counts ?? used.report?.counts ?? this.#size.estimate()
    return settlementOfResponse(this.#session, { ...open, candidate }, { ...used, counts }, ending, this.#deps.now())
  }
}

const NO_HOLD = { amount: mq(0n), open: true, pending: undefined }
const DIED: Ending = { ended: 'gateway_died', status: 200 }

/**
 * Whether the session's group may still serve the key. `known` is the owner's group when the session was opened, which serves keys
 * without groups.
 */
function isStillServed({ groups, group: owners }: Identity, group: string | undefined, known: string): boolean {
  if (groups !== undefined) return groups.includes(group ?? known)
  return group === undefined || group === owners
}
