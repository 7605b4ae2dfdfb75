import type { BegunCall, CallCause, Health, LaneView, Rest, RestCause, Standing } from './health.ts'
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
      return new Call(record, now, random)
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

class Call implements BegunCall {
  readonly #lane: LaneRecord
  readonly #random: () => number
  /** Of each kind of rest, which one it was when the call began. */
  readonly #failing: number
  readonly #limited: number
  readonly #refused: number
  #isOver = false
  #hasAnswered = false

  constructor(lane: LaneRecord, now: number, random: () => number) {
    const { failing, limited, owner } = lane
    this.#lane = lane
    this.#random = random
    this.#failing = failing.epoch
    this.#limited = limited.epoch
    this.#refused = owner.refused.epoch
    failing.tryWith(this, now)
    owner.refused.tryWith(this, now)
    lane.open += 1
  }

  answered(firstByteMs: number, now: number): void {
    if (this.#isOver || this.#hasAnswered) return
    this.#hasAnswered = true
    this.#lane.sawFirstByte(firstByteMs, now)
    this.#pass(now)
  }

  end(cause: CallCause, now: number, retryAfterMs?: number): Rest | undefined {
    if (this.#isOver) return undefined
    this.#isOver = true
    this.#lane.open -= 1
    const rest = this.#judge(cause, now, retryAfterMs)
    this.#lane.failing.release(this)
    this.#lane.owner.refused.release(this)
    return rest
  }

  #judge(cause: CallCause, now: number, retryAfterMs: number | undefined): Rest | undefined {
    const lane = this.#lane
    switch (cause) {
      case 'answered':
        lane.answered += 1
        this.#pass(now)
        if (this.#failing === lane.failing.epoch) lane.countAnswer(now)
        return undefined
      case 'limited':
        return this.#askedToWait(now, retryAfterMs) ?? this.#rest('limited', lane.limited, this.#limited, now)
      case 'account':
        lane.failed += 1
        return this.#rest('account', lane.owner.refused, this.#refused, now)
      case 'provider':
        lane.failed += 1
        return this.#fail(now) ?? this.#askedToWait(now, retryAfterMs)
      case 'request':
      case 'setup':
      case 'stopped':
        return undefined
    }
  }

  #pass(now: number): void {
    const { failing, owner } = this.#lane
    if (failing.isOnTrial && this.#failing === failing.epoch) {
      failing.pass(now)
      this.#lane.clearFailures()
    }
    if (owner.refused.isOnTrial && this.#refused === owner.refused.epoch) owner.refused.pass(now)
  }

  #fail(now: number): Rest | undefined {
    const { failing } = this.#lane
    if (this.#failing !== failing.epoch) return undefined
    const isOneTooMany = this.#lane.countFailure(now)
    if (failing.isOnTrial ? !failing.isTrial(this) : !isOneTooMany) return undefined
    this.#lane.clearCounts()
    return this.#rest('failing', failing, this.#failing, now)
  }

  /** The provider's own word counts whenever it comes. */
  #askedToWait(now: number, retryAfterMs: number | undefined): Rest | undefined {
    if (retryAfterMs === undefined || !(retryAfterMs > 0)) return undefined
    const { limited } = this.#lane
    const until = now + Math.ceil(Math.min(retryAfterMs, LONGEST_ASKED_MS))
    return limited.extendTo(until) ? this.#told('limited', limited) : undefined
  }

  #rest(cause: RestCause, record: RestRecord, epoch: number, now: number): Rest | undefined {
    if (epoch !== record.epoch || record.isResting(now)) return undefined
    if (record.isOnTrial && !record.isTrial(this)) return undefined
    record.begin(now, this.#random)
    return this.#told(cause, record)
  }

  #told(cause: RestCause, { until }: RestRecord): Rest {
    const { channel, key, model } = this.#lane
    return { channel, key, model: cause === 'account' ? '' : model, cause, until }
  }
}

function restOf(lane: LaneRecord, cause: RestCause): RestRecord {
  return cause === 'limited' ? lane.limited : cause === 'failing' ? lane.failing : lane.owner.refused
}

const NEW: Standing = { kind: 'ready', worth: 1, open: 0 }
/** Longest wait that a provider is believed. */
const LONGEST_ASKED_MS = 600_000
/** Records that nobody looked at for so long are forgotten. */
const IDLE_MS = 1_800_000
const SWEEP = 8
const FULL_SWEEP = 64
