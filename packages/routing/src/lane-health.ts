import { HealthCall } from './health-call.ts'
import type { Health, LaneView, Standing } from './health.ts'
import { ChannelRecord, KeyRecord, LaneRecord, ModelRecord, standingOf } from './lane-record.ts'
import type { Lane } from './lane.ts'

export interface HealthOptions {
  /** Most lanes, keys and models that are kept, together; those that are not called are removed first. */
  readonly capacity: number
  /** 0 to 1: spreads the ends of cooldowns. */
  readonly random: () => number
}

/**
 * Health of lanes in this process's memory, by the rules of decision 0040. No timers and no clock: everything follows from the
 * times that are passed with the calls.
 */
export function createHealth({ capacity, random }: HealthOptions): Health {
  const channels = new Map<number, ChannelRecord>()
  /** Every record below a channel, the one that was checked longest ago first. */
  const records = new Set<KeyRecord | ModelRecord | LaneRecord>()

  const remove = (record: KeyRecord | ModelRecord | LaneRecord): void => {
    records.delete(record)
    if (record instanceof LaneRecord) {
      record.byKey.lanes.delete(record.model)
      record.byModel.lanes -= 1
      return
    }
    const { channel } = record
    if (record instanceof KeyRecord) channel.keys.delete(record.key)
    else channel.models.delete(record.model)
    if (channel.keys.size === 0 && channel.models.size === 0) channels.delete(channel.id)
  }

  /** Checks a few records: those long unused are removed, and if there is still no room, the longest unused of them. */
  const makeRoom = (now: number): boolean => {
    let oldest: KeyRecord | ModelRecord | LaneRecord | undefined
    let looks = records.size < capacity ? SWEEP : FULL_SWEEP
    for (const record of records) {
      if (looks === 0) break
      looks -= 1
      records.delete(record)
      records.add(record)
      if (record.isInUse) continue
      if (now - record.touched > IDLE_MS) remove(record)
      else if (oldest === undefined || record.touched < oldest.touched) oldest = record
    }
    if (records.size >= capacity && oldest !== undefined) remove(oldest)
    return records.size < capacity
  }

  const channelOf = (id: number): ChannelRecord => {
    const held = channels.get(id) ?? new ChannelRecord(id)
    channels.set(id, held)
    return held
  }

  /** A record that finds no room is created again each time: nothing is kept of it, and nothing breaks. */
  const keyOf = (id: number, key: string, now: number): KeyRecord => {
    const held = channels.get(id)?.keys.get(key)
    if (held !== undefined) return held
    const hasRoom = makeRoom(now)
    const made = new KeyRecord(hasRoom ? channelOf(id) : new ChannelRecord(id), key)
    made.touched = now
    if (!hasRoom) return made
    records.add(made)
    made.channel.keys.set(key, made)
    return made
  }

  const modelOf = (id: number, model: string, now: number): ModelRecord => {
    const held = channels.get(id)?.models.get(model)
    if (held !== undefined) return held
    const hasRoom = makeRoom(now)
    const made = new ModelRecord(hasRoom ? channelOf(id) : new ChannelRecord(id), model)
    made.touched = now
    if (!hasRoom) return made
    records.add(made)
    made.channel.models.set(model, made)
    return made
  }

  const laneOf = ({ channel, key, model }: Lane, now: number): LaneRecord => {
    const held = channels.get(channel)?.keys.get(key)?.lanes.get(model)
    if (held !== undefined) return held
    const byKey = keyOf(channel, key, now)
    // A record touched here is not removed to make room for the others.
    byKey.touched = now
    const byModel = modelOf(channel, model, now)
    byModel.touched = now
    const made = new LaneRecord(byKey, byModel)
    made.touched = now
    if (!makeRoom(now) || !records.has(byKey) || !records.has(byModel)) return made
    records.add(made)
    byKey.lanes.set(model, made)
    byModel.lanes += 1
    return made
  }

  return {
    standing: ({ channel, key, model }, now) => {
      const known = channels.get(channel)
      if (known === undefined) return NEW
      const byKey = known.keys.get(key)
      const lane = byKey?.lanes.get(model)
      if (lane === undefined) return standingOf(byKey, known.models.get(model), undefined, now)
      lane.touched = now
      return lane.standing(now)
    },
    begin: (of, now) => {
      const lane = laneOf(of, now)
      lane.touch(now)
      lane.byModel.coolDownIfStalled(now, random)
      return new HealthCall(lane, now, random)
    },
    adopt: ({ channel, key, model, cause, until }, cooldownMs) => {
      if (cause === 'account') keyOf(channel, key, until).refused.extendTo(until)
      else if (cause === 'failing') modelOf(channel, model, until).failing.extendTo(until)
      else if (cause === 'unknown_model') laneOf({ channel, key, model }, until).unknownModel.extendTo(until)
      else laneOf({ channel, key, model }, until).limited.extendTo(until, cooldownMs)
    },
    forget: (id) => {
      const channel = channels.get(id)
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
    views: (now) => {
      const views: LaneView[] = []
      for (const record of records) if (record instanceof LaneRecord) views.push(record.view(now))
      return views
    },
  }
}

const NEW: Standing = { kind: 'ready', score: 1, share: 1, open: 0 }
/** Records that have not been accessed for this long are forgotten. */
const IDLE_MS = 1_800_000
const SWEEP = 8
const FULL_SWEEP = 64
