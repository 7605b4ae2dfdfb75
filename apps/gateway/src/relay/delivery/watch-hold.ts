import type { Refusal } from '@sluice/contract/errors'
import type { DeltaText } from '@sluice/dialects/canon/delta-text'
import type { HoldAnswer, Ledger } from '@sluice/ledger/ledger'
import { type Mq, mq } from '@sluice/ledger/units'
import type { Leave } from '../../process/live-set.ts'
import { holdRefusal } from '../../tokens/refusals.ts'
import { chargeForText } from '../charge/hold-size.ts'
import { progressOf } from '../charge/ledger-rows.ts'
import type { Beating, Pulse } from '../client/pulse.ts'
import type { Answered } from '../stages/answered.ts'

/** Keeps the hold of a running stream larger than its charge, and reports its progress to the ledger. */
export interface StreamWatch extends Beating {
  /** Counts bytes of events that were sent. */
  count(bytes: number): void
  /** The stream waits for more quota: the provider must be held back. */
  readonly isHolding: boolean
  readonly amount: Mq
  /** Why the gateway ended the stream: its hold could not grow. */
  readonly refusal: Refusal | undefined
  close(): void
}

export interface WatchDeps {
  readonly ledger: Pick<Ledger, 'extend' | 'renew'>
  readonly pulse: Pulse
  readonly now: () => number
  readonly onError: (error: unknown, requestId: string) => void
}

/** How often the ledger learns the progress of a stream, in case this process dies. */
const RENEW_MS = 15_000
/** At most this many bytes may pass between two checks: events of a few hundred tokens. */
const LOOK_BYTES = 65_536
/** Denser than any provider's text: prose has 3.5 to 4.5 bytes per token. */
const BYTES_PER_TOKEN = 3
/** An extension is requested when this share of the hold is used. */
const EXTEND_AT_PERCENT = 70n
const GROWTH = 2n

export function openWatch(deps: WatchDeps, answered: Answered, text: DeltaText): StreamWatch {
  return new HoldWatch(deps, answered, text)
}

class HoldWatch implements StreamWatch {
  isHolding = false
  refusal: Refusal | undefined

  readonly #deps: WatchDeps
  readonly #answered: Answered
  readonly #text: DeltaText
  readonly #leavePulse: Leave
  amount: Mq
  #unseen = 0
  #renewedAt: number
  #isExtending = false
  #isClosed = false

  constructor(deps: WatchDeps, answered: Answered, text: DeltaText) {
    this.#deps = deps
    this.#answered = answered
    this.#text = text
    this.amount = answered.hold.amount
    this.#renewedAt = deps.pulse.now()
    this.#leavePulse = deps.pulse.add(this)
  }

  count(bytes: number): void {
    this.#unseen += bytes
    if (this.#unseen >= LOOK_BYTES) this.#look()
  }

  beat(now: number): void {
    if (this.#unseen > 0) this.#look()
    // An answer that is not text is worth nothing before it is whole.
    if (now - this.#renewedAt < RENEW_MS || !this.#answered.parsed.hasText) return
    this.#renewedAt = now
    const progress = progressOf(this.#answered, this.#text.measure(), this.amount, this.#deps.now())
    this.#deps.ledger.renew(progress).catch((error: unknown) => this.#deps.onError(error, this.#answered.accepted.id))
  }

  close(): void {
    this.#isClosed = true
    this.#leavePulse()
  }

  #look(): void {
    this.#unseen = 0
    if (!this.#answered.hold.open) return
    const spent = this.#spent()
    if (spent > 0n && spent * 100n >= this.amount * EXTEND_AT_PERCENT) void this.#extend()
    if (spent > this.amount) this.#hold()
  }

  #hold(): void {
    this.isHolding = true
    this.#answered.call.pause()
  }

  /** Doubles the hold. If that is refused, the stream can still use up its hold. */
  async #extend(): Promise<void> {
    if (this.#isExtending) return
    this.#isExtending = true
    const spent = this.#spent()
    const amount = mq((spent > this.amount ? spent : this.amount) * GROWTH)
    const answer = await this.#deps.ledger
      .extend(this.#answered.accepted.id, amount)
      .catch((error: unknown): HoldAnswer => {
        this.#deps.onError(error, this.#answered.accepted.id)
        return 'unavailable'
      })
    this.#isExtending = false
    if (this.#isClosed) return
    if (answer === 'held') {
      this.amount = amount
      this.isHolding = false
      if (this.#answered.client?.isFull !== true) this.#answered.call.resume()
    } else if (this.#spent() > this.amount) {
      this.refusal = refusalOf(answer)
      this.#answered.call.cancel('the hold cannot grow')
    }
  }

  #outputTokens(): number {
    return Math.ceil(this.#text.measure() / BYTES_PER_TOKEN)
  }

  #spent(): Mq {
    const { parsed, candidate } = this.#answered
    const { counts } = parsed.bound(candidate.quote, 0)
    return chargeForText({ ...counts, output: this.#outputTokens() }, candidate.quote, candidate.groupRatio)
  }
}

/** The error of a stream that could not get more quota. A missing hold was closed by replicas that considered this process dead. */
function refusalOf(answer: HoldAnswer): Refusal {
  if (answer === 'unavailable' || answer === 'stale') return { code: 'ledger_unavailable' }
  const overBudget = typeof answer === 'object' ? holdRefusal(answer) : undefined
  return overBudget ?? { code: 'stream_quota_exhausted' }
}
