import type { AccountWindow } from './account-window.ts'
import { CallRecord } from './call-record.ts'
import { CooldownRecord } from './cooldown-record.ts'
import type { LaneView, CooldownCause, Standing } from './health.ts'
import type { Lane } from './lane.ts'

/** What is known about one channel; the maps are by key and by model. */
export class ChannelRecord {
  readonly id: number
  readonly keys = new Map<string, KeyRecord>()
  readonly models = new Map<string, ModelRecord>()

  constructor(id: number) {
    this.id = id
  }
}

/** What is known about one key of a channel, whatever the model: whether it is refused. */
export class KeyRecord {
  readonly channel: ChannelRecord
  readonly key: string
  readonly refused = new CooldownRecord({ firstMs: 30_000, longestMs: 600_000, tried: true })
  readonly lanes = new Map<string, LaneRecord>()
  /** Denied calls since the last answer. */
  denials = 0
  /** Unix milliseconds of the last access. */
  touched = 0

  constructor(channel: ChannelRecord, key: string) {
    this.channel = channel
    this.key = key
  }

  get isInUse(): boolean {
    return this.lanes.size > 0
  }
}

/** What is known about one model of a channel, whatever the key: a provider that is down is down for all of them. */
export class ModelRecord {
  readonly channel: ChannelRecord
  readonly model: string
  readonly failing = new CooldownRecord({ firstMs: 2_000, longestMs: 60_000, tried: true })
  readonly calls = new CallRecord()
  /** Number of lanes that refer to it. */
  lanes = 0
  /** Unix milliseconds of the last access. */
  touched = 0

  constructor(channel: ChannelRecord, model: string) {
    this.channel = channel
    this.model = model
  }

  get isInUse(): boolean {
    return this.lanes > 0
  }

  /** Starts a cooldown if the provider is silent. */
  coolDownIfStalled(now: number, random: () => number): void {
    if (this.failing.isCoolingDown(now) || this.failing.isOnTrial || !this.calls.isStalled(now)) return
    this.calls.clearCounts()
    this.failing.begin(now, random)
  }

  clear(): void {
    this.failing.clear()
    this.calls.clear()
  }
}

/** What is known about one lane in addition to its key and its model. */
export class LaneRecord implements Lane {
  readonly byKey: KeyRecord
  readonly byModel: ModelRecord
  readonly limited = new CooldownRecord({ firstMs: 1_000, longestMs: 60_000, tried: false })
  readonly unknownModel = new CooldownRecord({ firstMs: 30_000, longestMs: 600_000, tried: true })
  /** Unix milliseconds of the last access. */
  touched = 0
  open = 0
  answered = 0
  failed = 0
  windows: readonly AccountWindow[] = []

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
    const windows = this.windows.filter(({ resetsAt }) => resetsAt > now)
    const standing = this.standing(now)
    return { channel, key, model, standing, failureRate, firstByteMs, open, answered, failed, windows }
  }
}

/** The standing of a lane, from what is known about its key, its model, and itself; each may be unknown. */
export function standingOf(
  byKey: KeyRecord | undefined,
  byModel: ModelRecord | undefined,
  lane: LaneRecord | undefined,
  now: number,
): Standing {
  const refused = byKey?.refused ?? NEVER
  const failing = byModel?.failing ?? NEVER
  const limited = lane?.limited ?? NEVER
  const unknownModel = lane?.unknownModel ?? NEVER
  const [ofKey, ofModel] = [refused.cooldownUntil(now), failing.cooldownUntil(now)]
  const ofLane = unknownModel.cooldownUntil(now)
  const until = Math.max(limited.cooldownUntil(now), ofModel, ofKey, ofLane)
  if (until > 0) {
    const cause: CooldownCause =
      until === ofKey ? 'account' : until === ofModel ? 'failing' : until === ofLane ? 'unknown_model' : 'limited'
    const isGuess = cause === 'limited' && limited.isGuess
    return { kind: 'resting', cause, until, hasTrial: false, ...(isGuess && { isGuess: true as const }) }
  }
  if (!refused.isOnTrial && !failing.isOnTrial && !unknownModel.isOnTrial) {
    const { score, share } =
      byModel === undefined ? FULL : { score: byModel.calls.score(now), share: byModel.calls.share(now) }
    const returning = Math.min(limited.share(now), failing.share(now), refused.share(now), unknownModel.share(now))
    return { kind: 'ready', score, share: Math.min(share, returning), open: lane?.open ?? 0 }
  }
  const trialEnds = Math.max(refused.trialEnds, failing.trialEnds, unknownModel.trialEnds)
  if (now >= trialEnds) return TRIAL
  const cause = refused.isOnTrial ? 'account' : failing.isOnTrial ? 'failing' : 'unknown_model'
  return { kind: 'resting', cause, until: trialEnds, hasTrial: true }
}

const FULL = { score: 1, share: 1 } as const
const TRIAL: Standing = { kind: 'probe' }
/** For something that never had a cooldown. */
const NEVER: Pick<CooldownRecord, 'isGuess' | 'cooldownUntil' | 'isOnTrial' | 'trialEnds' | 'share'> = {
  isGuess: false,
  cooldownUntil: () => 0,
  isOnTrial: false,
  trialEnds: 0,
  share: () => 1,
}
