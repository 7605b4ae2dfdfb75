import { CallRecord } from './call-record.ts'
import type { LaneView, RestCause, Standing } from './health.ts'
import type { Lane } from './lane.ts'
import { RestRecord } from './rest-record.ts'

/** What is known of one channel; the maps are by key and by model. */
export class ChannelRecord {
  readonly id: number
  readonly keys = new Map<string, KeyRecord>()
  readonly models = new Map<string, ModelRecord>()

  constructor(id: number) {
    this.id = id
  }
}

/** What is known of one key of a channel, whatever the model: whether it is refused. */
export class KeyRecord {
  readonly channel: ChannelRecord
  readonly key: string
  readonly refused = new RestRecord({ firstMs: 30_000, longestMs: 600_000, tried: true })
  readonly lanes = new Map<string, LaneRecord>()
  /** Calls that were denied since the last answer. */
  denials = 0
  /** Unix milliseconds of the last look. */
  touched = 0

  constructor(channel: ChannelRecord, key: string) {
    this.channel = channel
    this.key = key
  }

  get isInUse(): boolean {
    return this.lanes.size > 0
  }
}

/** What is known of one model of a channel, whichever the key: a provider that is down is down for all of them. */
export class ModelRecord {
  readonly channel: ChannelRecord
  readonly model: string
  readonly failing = new RestRecord({ firstMs: 2_000, longestMs: 60_000, tried: true })
  readonly calls = new CallRecord()
  /** Lanes that were made of it. */
  lanes = 0
  /** Unix milliseconds of the last look. */
  touched = 0

  constructor(channel: ChannelRecord, model: string) {
    this.channel = channel
    this.model = model
  }

  get isInUse(): boolean {
    return this.lanes > 0
  }

  /** Whoever calls a provider that has fallen silent is the last to do so for a while. */
  restIfStalled(now: number, random: () => number): void {
    if (this.failing.isResting(now) || this.failing.isOnTrial || !this.calls.isStalled(now)) return
    this.calls.clearCounts()
    this.failing.begin(now, random)
  }

  clear(): void {
    this.failing.clear()
    this.calls.clear()
  }
}

/** What is known of one lane beside what its key and its model say. */
export class LaneRecord implements Lane {
  readonly byKey: KeyRecord
  readonly byModel: ModelRecord
  readonly limited = new RestRecord({ firstMs: 1_000, longestMs: 60_000, tried: false })
  /** Unix milliseconds of the last look. */
  touched = 0
  open = 0
  answered = 0
  failed = 0

  constructor(byKey: KeyRecord, byModel: ModelRecord) {
    this.byKey = byKey
    this.byModel = byModel
  }

  get channel(): number {
    return this.byKey.channel.id
  }

  get key(): string {
    return this.byKey.key
  }

  get model(): string {
    return this.byModel.model
  }

  get isInUse(): boolean {
    return this.open > 0
  }

  touch(now: number): void {
    this.touched = now
    this.byKey.touched = now
    this.byModel.touched = now
  }

  standing(now: number): Standing {
    return standingOf(this.byKey, this.byModel, this, now)
  }

  view(now: number): LaneView {
    const { channel, key, model, open, answered, failed } = this
    const { calls } = this.byModel
    const failureRate = calls.failureRate(now)
    const firstByteMs = calls.firstByteMs(now)
    return { channel, key, model, standing: this.standing(now), failureRate, firstByteMs, open, answered, failed }
  }
}

/** How a lane stands by what is known of its key, its model, and itself; each may be unknown yet. */
export function standingOf(
  byKey: KeyRecord | undefined,
  byModel: ModelRecord | undefined,
  lane: LaneRecord | undefined,
  now: number,
): Standing {
  const refused = byKey?.refused ?? NEVER
  const failing = byModel?.failing ?? NEVER
  const limited = lane?.limited ?? NEVER
  const [ofKey, ofModel] = [refused.restsUntil(now), failing.restsUntil(now)]
  const until = Math.max(limited.restsUntil(now), ofModel, ofKey)
  if (until > 0) {
    const cause: RestCause = until === ofKey ? 'account' : until === ofModel ? 'failing' : 'limited'
    const isGuess = cause === 'limited' && limited.isGuess
    return { kind: 'resting', cause, until, isProbed: false, ...(isGuess && { isGuess: true as const }) }
  }
  if (!refused.isOnTrial && !failing.isOnTrial) {
    const { worth, share } =
      byModel === undefined ? FULL : { worth: byModel.calls.worth(now), share: byModel.calls.share(now) }
    const returning = Math.min(limited.share(now), failing.share(now), refused.share(now))
    return { kind: 'ready', worth, share: Math.min(share, returning), open: lane?.open ?? 0 }
  }
  const trialEnds = Math.max(refused.trialEnds, failing.trialEnds)
  if (now >= trialEnds) return PROBE
  return { kind: 'resting', cause: refused.isOnTrial ? 'account' : 'failing', until: trialEnds, isProbed: true }
}

const FULL = { worth: 1, share: 1 } as const
const PROBE: Standing = { kind: 'probe' }
/** Nothing was ever held against it. */
const NEVER: Pick<RestRecord, 'isGuess' | 'restsUntil' | 'isOnTrial' | 'trialEnds' | 'share'> = {
  isGuess: false,
  restsUntil: () => 0,
  isOnTrial: false,
  trialEnds: 0,
  share: () => 1,
}
