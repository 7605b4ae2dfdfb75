import type { Refusal } from '@sluice/contract/errors'
import type { DeltaText } from '@sluice/dialects/openai-chat/delta-text'
import type { HoldAnswer, Ledger } from '@sluice/ledger/ledger'
import { type Mq, mq } from '@sluice/ledger/units'
import { holdRefusal } from '../hold-refusal.ts'
import type { Leave } from '../roster.ts'
import type { Answered } from './dispatch.ts'
import { chargeForText } from './hold-size.ts'
import { progressOf } from './ledger-rows.ts'
import type { Beating, Pulse } from './pulse.ts'

/** Keeps the hold of a running stream larger than its charge, and its progress in the ledger. */
export interface StreamWatch extends Beating {
  /** Counts bytes of events that were sent. */
  count(bytes: number): void
  /** The stream waits for more quota: the provider is to be held back. */
  readonly isHolding: boolean
  /** What is held by now. */
  readonly amount: Mq
  /** Why the stream was ended here: its hold could not grow. */
  readonly refusal: Refusal | undefined
  close(): void
}

export interface WatchDeps {
  readonly ledger: Pick<Ledger, 'extend' | 'renew'>
  readonly pulse: Pulse
  readonly now: () => number
  readonly onError: (error: unknown, requestId: string) => void
}

/** The ledger learns the progress of a stream this often, for the case that this process dies. */
const RENEW_MS = 15_000
/** Between two looks at most so much may pass unseen: events of some hundred tokens. */
const LOOK_BYTES = 65_536
/** Denser than any text that providers sell: prose has 3.5 to 4.5 bytes per token. */
const BYTES_PER_TOKEN = 3
/** An extension is asked for when this share of the hold is used. */
const EXTEND_AT_PERCENT = 70n
const GROWTH = 2n

export function openWatch(deps: WatchDeps, answered: Answered, text: DeltaText): StreamWatch {
  return new HoldWatch(deps, answered, text)
}

class HoldWatch implements StreamWatch {
  isHolding = false
  refusal: Refusal | undefined

  private readonly deps: WatchDeps
  private readonly answered: Answered
  private readonly text: DeltaText
  private readonly leavePulse: Leave
  amount: Mq
  private unseen = 0
  private renewedAt: number
  private isExtending = false
  private isClosed = false

  constructor(deps: WatchDeps, answered: Answered, text: DeltaText) {
    this.deps = deps
    this.answered = answered
    this.text = text
    this.amount = answered.hold.amount
    this.renewedAt = deps.pulse.now()
    this.leavePulse = deps.pulse.add(this)
  }

  count(bytes: number): void {
    this.unseen += bytes
    if (this.unseen >= LOOK_BYTES) this.look()
  }

  beat(now: number): void {
    if (this.unseen > 0) this.look()
    // An answer that is no text is worth nothing before it is whole.
    if (now - this.renewedAt < RENEW_MS || !this.answered.asked.hasText) return
    this.renewedAt = now
    const progress = progressOf(this.answered, this.text.measure(), this.amount, this.deps.now())
    this.deps.ledger.renew(progress).catch((error: unknown) => this.deps.onError(error, this.answered.accepted.id))
  }

  close(): void {
    this.isClosed = true
    this.leavePulse()
  }

  private look(): void {
    this.unseen = 0
    if (!this.answered.hold.open) return
    const spent = this.spent()
    if (spent > 0n && spent * 100n >= this.amount * EXTEND_AT_PERCENT) void this.extend()
    if (spent > this.amount) this.hold()
  }

  private hold(): void {
    this.isHolding = true
    this.answered.call.pause()
  }

  /** Doubles the hold. Refused, the stream may still use up what it has. */
  private async extend(): Promise<void> {
    if (this.isExtending) return
    this.isExtending = true
    const spent = this.spent()
    const amount = mq((spent > this.amount ? spent : this.amount) * GROWTH)
    const answer = await this.deps.ledger
      .extend(this.answered.accepted.id, amount)
      .catch((error: unknown): HoldAnswer => {
        this.deps.onError(error, this.answered.accepted.id)
        return 'unavailable'
      })
    this.isExtending = false
    if (this.isClosed) return
    if (answer === 'held') {
      this.amount = amount
      this.isHolding = false
      if (this.answered.client?.isFull !== true) this.answered.call.resume()
    } else if (this.spent() > this.amount) {
      this.refusal = refusalOf(answer)
      this.answered.call.cancel('the hold cannot grow')
    }
  }

  private outputTokens(): number {
    return Math.ceil(this.text.measure() / BYTES_PER_TOKEN)
  }

  /** What the stream has cost so far, at most. */
  private spent(): Mq {
    const { asked, candidate, groupRatio } = this.answered
    const { counts } = asked.bound(candidate.quote, 0)
    return chargeForText({ ...counts, output: this.outputTokens() }, candidate.quote, groupRatio)
  }
}

/** What a stream says that could not get more quota. A hold that is gone was closed by replicas that gave this one up. */
function refusalOf(answer: HoldAnswer): Refusal {
  if (answer === 'unavailable' || answer === 'stale') return { code: 'ledger_unavailable' }
  const overBudget = typeof answer === 'object' ? holdRefusal(answer) : undefined
  return overBudget ?? { code: 'stream_quota_exhausted' }
}
