import { HealthCall } from './health-call.ts'
import type { Health, LaneView, RestCause, Standing } from './health.ts'
import { KeyRecord, LaneRecord } from './lane-record.ts'
import type { Lane } from './lane.ts'
import type { RestRecord } from './rest-record.ts'

export interface HealthOptions {
  /** Lanes and keys that are remembered at most; those which nobody asks for go first. */
  readonly capacity: number
  /** 0 to 1: spreads the ends of rests. */
  readonly random: () => number
}

/**
 * Health of lanes in this process's memory, by the rules of decision 0040. No timers and no clock: everything follows from the
 * moments that come with the calls.
 */
export function createHealth({ capacity, random }: HealthOptions): Health {
  const keys = new Map<number, Map<string, KeyRecord>>()
  /** Every record, the one that was looked over the longest time ago first. */
  const records = new Set<KeyRecord | LaneRecord>()

  const known = ({ channel, key, model }: Lane) => keys.get(channel)?.get(key)?.lanes.get(model)

  const remove = (record: KeyRecord | LaneRecord): void => {
    records.delete(record)
    if (record instanceof LaneRecord) {
      record.owner.lanes.delete(record.model)
      return
    }
    const siblings = keys.get(record.channel)
    siblings?.delete(record.key)
    if (siblings?.size === 0) keys.delete(record.channel)
  }

  /** Looks over a few records: the long unused go, and if there is no room still, the longest unused of them. */
  const makeRoom = (now: number): boolean => {
    let oldest: KeyRecord | LaneRecord | undefined
    let looks = records.size < capacity ? SWEEP : FULL_SWEEP
    for (const record of records) {
      if (looks === 0) break
      looks -= 1
      records.delete(record)
      records.add(record)
      if (record.isBusy) continue
      if (now - record.touched > IDLE_MS) remove(record)
      else if (oldest === undefined || record.touched < oldest.touched) oldest = record
    }
    if (records.size >= capacity && oldest !== undefined) remove(oldest)
    return records.size < capacity
  }

  const keyOf = (channel: number, key: string, now: number): KeyRecord => {
    const held = keys.get(channel)?.get(key)
    if (held !== undefined) return held
    const made = new KeyRecord(channel, key)
    made.touched = now
    if (!makeRoom(now)) return made
    records.add(made)
    const siblings = keys.get(channel)
    if (siblings === undefined) keys.set(channel, new Map([[key, made]]))
    else siblings.set(key, made)
    return made
  }

  /** A lane that finds no room is made anew each time: nothing is remembered of it, and nothing breaks. */
  const laneOf = ({ channel, key, model }: Lane, now: number): LaneRecord => {
    const owner = keyOf(channel, key, now)
    const held = owner.lanes.get(model)
    if (held !== undefined) return held
    const made = new LaneRecord(owner, model)
    made.touched = now
    if (!records.has(owner) || !makeRoom(now) || !records.has(owner)) return made
    records.add(made)
    owner.lanes.set(model, made)
    return made
  }

  return {
    standing: (lane, now) => {
      const record = known(lane)
      if (record !== undefined) {
        record.touched = now
        return record.standing(now)
      }
      const owner = keys.get(lane.channel)?.get(lane.key)
      return owner === undefined ? NEW : new LaneRecord(owner, lane.model).standing(now)
    },
    begin: (lane, now) => {
      const record = laneOf(lane, now)
      record.touched = now
      record.owner.touched = now
      record.restIfStalled(now, random)
      return new HealthCall(record, now, random)
    },
    adopt: ({ channel, key, model, cause, until }) => {
      if (model === '') keyOf(channel, key, until).refused.extendTo(until)
      else restOf(laneOf({ channel, key, model }, until), cause).extendTo(until)
    },
    forget: (channel) => {
      for (const key of keys.get(channel)?.values() ?? []) {
        key.refused.clear()
        for (const lane of key.lanes.values()) lane.forget()
      }
    },
    views: (now) => {
      const views: LaneView[] = []
      for (const record of records) if (record instanceof LaneRecord) views.push(record.view(now))
      return views
    },
  }
}

function restOf(lane: LaneRecord, cause: RestCause): RestRecord {
  return cause === 'limited' ? lane.limited : cause === 'failing' ? lane.failing : lane.owner.refused
}

const NEW: Standing = { kind: 'ready', worth: 1, share: 1, open: 0 }
/** Records that nobody looked at for so long are forgotten. */
const IDLE_MS = 1_800_000
const SWEEP = 8
const FULL_SWEEP = 64
