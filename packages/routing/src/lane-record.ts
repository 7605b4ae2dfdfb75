import { CallRecord } from './call-record.ts'
import type { LaneView, RestCause, Standing } from './health.ts'
import type { Lane } from './lane.ts'
import { RestRecord } from './rest-record.ts'

/** What is known of one key: how it is refused, and its lanes by model. */
export class KeyRecord {
  readonly channel: number
  readonly key: string
  readonly refused = new RestRecord({ firstMs: 30_000, longestMs: 600_000, tried: true })
  readonly lanes = new Map<string, LaneRecord>()
  /** Unix milliseconds of the last look. */
  touched = 0

  constructor(channel: number, key: string) {
    this.channel = channel
    this.key = key
  }

  get isBusy(): boolean {
    return this.lanes.size > 0
  }
}

/** What is known of one lane. */
export class LaneRecord implements Lane {
  readonly owner: KeyRecord
  readonly model: string
  readonly limited = new RestRecord({ firstMs: 1_000, longestMs: 60_000, tried: false })
  readonly failing = new RestRecord({ firstMs: 2_000, longestMs: 60_000, tried: true })
  readonly calls = new CallRecord()
  /** Unix milliseconds of the last look. */
  touched = 0
  open = 0
  answered = 0
  failed = 0

  constructor(owner: KeyRecord, model: string) {
    this.owner = owner
    this.model = model
  }

  get channel(): number {
    return this.owner.channel
  }

  get key(): string {
    return this.owner.key
  }

  get isBusy(): boolean {
    return this.open > 0
  }

  standing(now: number): Standing {
    const { limited, failing } = this
    const { refused } = this.owner
    const until = Math.max(limited.until, failing.until, refused.until)
    if (now < until) {
      const cause: RestCause = until === refused.until ? 'account' : until === failing.until ? 'failing' : 'limited'
      return { kind: 'resting', cause, until, isProbed: false }
    }
    if (!refused.isOnTrial && !failing.isOnTrial) {
      const share = Math.min(limited.share(now), failing.share(now), refused.share(now))
      return { kind: 'ready', worth: this.calls.worth(now), share, open: this.open }
    }
    const trialEnds = Math.max(refused.trialEnds, failing.trialEnds)
    if (now >= trialEnds) return PROBE
    return { kind: 'resting', cause: refused.isOnTrial ? 'account' : 'failing', until: trialEnds, isProbed: true }
  }

  /** Whoever calls a lane that has fallen silent is the last to do so for a while. */
  restIfStalled(now: number, random: () => number): void {
    if (this.failing.isResting(now) || this.failing.isOnTrial || !this.calls.isStalled(now)) return
    this.calls.clearCounts()
    this.failing.begin(now, random)
  }

  forget(): void {
    this.limited.clear()
    this.failing.clear()
    this.calls.clear()
  }

  view(now: number): LaneView {
    const { channel, key, model, open, answered, failed } = this
    const failureRate = this.calls.failureRate(now)
    const firstByteMs = this.calls.firstByteMs(now)
    return { channel, key, model, standing: this.standing(now), failureRate, firstByteMs, open, answered, failed }
  }
}

const PROBE: Standing = { kind: 'probe' }
