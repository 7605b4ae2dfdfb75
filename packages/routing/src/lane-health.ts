import { HealthCall } from './health-call.ts'
import type { Health, Standing } from './health.ts'
import { ChannelRecord, KeyRecord, LaneRecord, ModelRecord, standingOf } from './lane-record.ts'
import type { Lane } from './lane.ts'

export interface HealthOptions {
  /** Maximum number of lanes, keys and models in all; those that are not called are removed first. */
  readonly capacity: number
  /** 0 to 1: spreads the ends of cooldowns. */
  readonly random: () => number
}

/** Health in this process's memory, by decision 0040. No timers and no clock: everything follows from the times of the calls. */
export function createHealth({ capacity, random }: HealthOptions): Health {
  const records = new HealthRecords(capacity)
  return {
    standing: ({ channel, key, model }, now) => {
      const known = records.channels.get(channel)
      if (known === undefined) return NEW
      const byKey = known.keys.get(key)
      const lane = byKey?.lanes.get(model)
      if (lane === undefined) return standingOf(byKey, known.models.get(model), undefined, now)
      lane.touched = now
      return lane.standing(now)
    },
    begin: (of, now) => {
      const lane = records.laneOf(of, now)
      lane.touch(now)
      lane.byModel.coolDownIfStalled(now, random)
      return new HealthCall(lane, now, random)
    },
    adopt: ({ channel, key, model, cause, until }, cooldownMs) => {
      if (cause === 'account') records.keyOf(channel, key, until).refused.extendTo(until)
      else if (cause === 'failing') records.modelOf(channel, model, until).failing.extendTo(until)
      else if (cause === 'unknown_model') records.laneOf({ channel, key, model }, until).unknownModel.extendTo(until)
      else records.laneOf({ channel, key, model }, until).limited.extendTo(until, cooldownMs)
    },
    forget: (id) => {
      const channel = records.channels.get(id)
      for (const model of channel?.models.values() ?? []) model.clear()
      for (const key of channel?.keys.values() ?? []) {
        key.refused.clear()
        key.denials = 0
        for (const lane of key.lanes.values()) {
          lane.limited.clear()
          lane.unknownModel.clear()
        }
      }
    },
    views: (now) => records.lanes.map((lane) => lane.view(now)),
  }
}

const NEW: Standing = { kind: 'ready', score: 1, share: 1, open: 0 }
/** Records that have not been accessed for this long are removed. */
const IDLE_MS = 1_800_000
const SWEEP = 8
const FULL_SWEEP = 64

type BelowChannel = KeyRecord | ModelRecord | LaneRecord

/** All records, up to a capacity. A record without room is recreated each time: it remembers nothing, but nothing breaks. */
class HealthRecords {
  readonly channels = new Map<number, ChannelRecord>()
  /** Every record below a channel, least recently checked first. */
  readonly #records = new Set<BelowChannel>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get lanes(): readonly LaneRecord[] {
    return [...this.#records].filter((record) => record instanceof LaneRecord)
  }

  laneOf({ channel, key, model }: Lane, now: number): LaneRecord {
    const held = this.channels.get(channel)?.keys.get(key)?.lanes.get(model)
    if (held !== undefined) return held
    const byKey = this.keyOf(channel, key, now)
    // Touched, so that it is not removed to make room for others.
    byKey.touched = now
    const byModel = this.modelOf(channel, model, now)
    byModel.touched = now
    const made = new LaneRecord(byKey, byModel)
    made.touched = now
    if (!this.#makeRoom(now) || !this.#records.has(byKey) || !this.#records.has(byModel)) return made
    this.#records.add(made)
    byKey.lanes.set(model, made)
    byModel.lanes += 1
    return made
  }

  keyOf(id: number, key: string, now: number): KeyRecord {
    const held = this.channels.get(id)?.keys.get(key)
    if (held !== undefined) return held
    const hasRoom = this.#makeRoom(now)
    const made = new KeyRecord(hasRoom ? this.#channelOf(id) : new ChannelRecord(id), key)
    made.touched = now
    if (!hasRoom) return made
    this.#records.add(made)
    made.channel.keys.set(key, made)
    return made
  }

  modelOf(id: number, model: string, now: number): ModelRecord {
    const held = this.channels.get(id)?.models.get(model)
    if (held !== undefined) return held
    const hasRoom = this.#makeRoom(now)
    const made = new ModelRecord(hasRoom ? this.#channelOf(id) : new ChannelRecord(id), model)
    made.touched = now
    if (!hasRoom) return made
    this.#records.add(made)
    made.channel.models.set(model, made)
    return made
  }

  #channelOf(id: number): ChannelRecord {
    const held = this.channels.get(id) ?? new ChannelRecord(id)
    this.channels.set(id, held)
    return held
  }

  /** Checks a few records: removes those that are long unused or, if room is still missing, the longest unused of them. */
  #makeRoom(now: number): boolean {
    let oldest: BelowChannel | undefined
    let looks = this.#records.size < this.#capacity ? SWEEP : FULL_SWEEP
    for (const record of this.#records) {
      if (looks === 0) break
      looks -= 1
      this.#records.delete(record)
      this.#records.add(record)
      if (record.isInUse) continue
      if (now - record.touched > IDLE_MS) this.#remove(record)
      else if (oldest === undefined || record.touched < oldest.touched) oldest = record
    }
    if (this.#records.size >= this.#capacity && oldest !== undefined) this.#remove(oldest)
    return this.#records.size < this.#capacity
  }

  #remove(record: BelowChannel): void {
    this.#records.delete(record)
    if (record instanceof LaneRecord) {
      record.byKey.lanes.delete(record.model)
      record.byModel.lanes -= 1
      return
    }
    const { channel } = record
    if (record instanceof KeyRecord) channel.keys.delete(record.key)
    else channel.models.delete(record.model)
    if (channel.keys.size === 0 && channel.models.size === 0) this.channels.delete(channel.id)
  }
}
