import type { Ledger } from '@sluice/ledger/ledger'
import { mq } from '@sluice/ledger/units'
import type { Leave } from '../../process/live-set.ts'
import type { Beating, Pulse } from '../client/pulse.ts'
import type { Candidate, Reserved } from '../stages/planned.ts'
import { chargeAtMost } from './hold-size.ts'

export interface PlainWatchDeps {
  readonly ledger: Pick<Ledger, 'extend'>
  readonly pulse: Pulse
  readonly onError: (error: unknown, requestId: string) => void
}

/**
 * Grows the hold of a plain answer without a maximum while its provider works, as if it were written at the pace of a fast model,
 * so that the quota is already held when parallel requests arrive. A refused extension does not end the answer, because the
 * provider has done the work by then: the answer can exceed the quota by the part written since the last extension. Progress is not
 * renewed: nothing of a plain answer is delivered before it is charged, so recovery releases its hold.
 */
export interface PlainWatch {
  candidate: Candidate | undefined
  close(): void
}

const LOOK_MS = 5_000
export const TOKENS_PER_SECOND = 100
/** As with streams, the hold is doubled when this share of it is used. */
const EXTEND_AT_PERCENT = 70n
const GROWTH = 2n

/** Undefined for a stream, which is watched by event, for an answer that is not text, and for one that its hold covers. */
export function openPlainWatch(deps: PlainWatchDeps, reserved: Reserved): PlainWatch | undefined {
  const { parsed, hold } = reserved
  if (parsed.stream || !parsed.hasText || !hold.open) return undefined
  return new WaitingHold(deps, reserved)
}

class WaitingHold implements PlainWatch, Beating {
  candidate: Candidate | undefined

  readonly #deps: PlainWatchDeps
  readonly #reserved: Reserved
  readonly #leavePulse: Leave
  readonly #begun: number
  #lookedAt: number
  #isRefused = false

  constructor(deps: PlainWatchDeps, reserved: Reserved) {
    this.#deps = deps
    this.#reserved = reserved
    this.#begun = deps.pulse.now()
    this.#lookedAt = this.#begun
    this.#leavePulse = deps.pulse.add(this)
  }

  beat(now: number): void {
    const { candidate } = this
    const reserved = this.#reserved
    if (now - this.#lookedAt < LOOK_MS || candidate === undefined || reserved.hold.pending !== undefined) return
    this.#lookedAt = now
    const output = Math.ceil(((now - this.#begun) / 1_000) * TOKENS_PER_SECOND)
    const { counts } = reserved.parsed.bound(candidate.quote, 0)
    const most = chargeAtMost({ ...counts, output }, candidate.quote, candidate.groupRatio)
    if (most > 0n && most * 100n >= reserved.hold.amount * EXTEND_AT_PERCENT) void this.#extend(most)
  }

  close(): void {
    this.#leavePulse()
  }

  async #extend(most: bigint): Promise<void> {
    if (this.#isRefused) return
    const { hold, accepted } = this.#reserved
    const amount = mq((most > hold.amount ? most : hold.amount) * GROWTH)
    try {
      if ((await this.#deps.ledger.extend(accepted.id, amount)) === 'held') hold.amount = amount
      else this.#isRefused = true
    } catch (error) {
      this.#deps.onError(error, accepted.id)
    }
  }
}
