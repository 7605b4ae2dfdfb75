import { asObject, type JsonObject } from '../json-value.ts'
import type { TokenCounts, UnitCounts } from '../token-counts.ts'

export interface UsageReport {
  /** Undefined if not believable; the usage must then be counted here. */
  readonly counts: TokenCounts | undefined
  /** The cost of the call as reported by the provider, in 10^-9 USD. Prices decide whether it is charged. */
  readonly reportedNanoUsd: number | undefined
  /** The provider's usage object, unchanged; for a stream, its fields as last seen. For the receipt. */
  readonly own: JsonObject
}

/** The usage in one reply, or one event of a stream, before it is interpreted. */
export interface UsageFound {
  readonly own: JsonObject
  /** Units counted outside that object: pictures in a list, searches among the items of an answer. */
  readonly beside?: UnitCounts | undefined
  /** Pictures in this message that no other message repeats. */
  readonly pictures?: number
}

/** Reads the usage of one dialect. Pure functions of parsed JSON, for plain replies and stream events alike. */
export interface UsageReader {
  /** Undefined if the message does not report usage. */
  readonly find: (message: JsonObject) => UsageFound | undefined
  readonly read: (found: UsageFound) => UsageReport
}

/** Undefined if the reply does not report usage. */
export function usageOfReply(reader: UsageReader, reply: unknown): UsageReport | undefined {
  const message = asObject(reply)
  const found = message && reader.find(message)
  return found && reader.read(found)
}

/** The usage of a stream, event by event. Keeps one usage object. */
export interface UsageStream {
  /** Takes one parsed event; any value is allowed. */
  see(event: unknown): void
  /** Undefined until something is reported. */
  report(): UsageReport | undefined
}

/**
 * Providers repeat growing totals, or report one field early and another late, so for each field the last value that is not null
 * counts. Only pictures are added up, because each is reported once.
 */
export function openUsageStream(reader: UsageReader): UsageStream {
  let seen: UsageFound | undefined
  return {
    see(event) {
      const message = asObject(event)
      const found = message && reader.find(message)
      if (found !== undefined) seen = seen === undefined ? found : latest(seen, found)
    },
    report: () => seen && reader.read(seen),
  }
}

function latest(seen: UsageFound, next: UsageFound): UsageFound {
  const reported = Object.entries(next.own).filter(([, value]) => value !== null)
  return {
    own: { ...seen.own, ...Object.fromEntries(reported) },
    beside: { ...seen.beside, ...next.beside },
    pictures: (seen.pictures ?? 0) + (next.pictures ?? 0),
  }
}
