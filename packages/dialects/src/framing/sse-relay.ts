import { endsWithBlankLine, eventOf, nextLineEnd } from './event-bytes.ts'
import { EVENT_LIMIT } from './sse.ts'

/**
 * State of a relayed stream. open → more bytes are accepted · done → the terminal event is held in `terminal`; later bytes are
 * ignored · failed → an error event was seen; it and everything after it is held back, but usage is still read · too_large → one
 * event exceeded the limit; later bytes are ignored
 */
export type SseRelayState = 'open' | 'done' | 'failed' | 'too_large'

/** Forwards an event stream in whole events; see decision 7. Holds one event, at most 16 MiB. */
export interface SseRelay {
  readonly state: SseRelayState
  /** The held terminal event, to be sent after the charge is committed. Empty before `done`. */
  readonly terminal: Uint8Array
  /**
   * Takes the next bytes and returns what to send now: whole events only, in order, each piece a view of `chunk` or a copy of ours.
   * Never throws; keeps no reference to `chunk`.
   */
  push(chunk: Uint8Array): readonly Uint8Array[]
  /** Call once: at the end of input, or any time after `done`. */
  end(): SseRelayEnd
}

export interface SseRelayEnd {
  /** `complete`: the terminal event was seen, or a finish reason and then the end. `broken`: anything else. */
  readonly outcome: 'complete' | 'broken'
  /** Why it is broken, to follow "The provider's answer was interrupted:"; empty if complete. */
  readonly reason: string
  /** To be sent before the terminal event: a final event whose blank line the upstream omitted. */
  readonly forward: readonly Uint8Array[]
}

/** `hold`: the end, unless another event follows. */
export type EventClass = 'forward' | 'drop' | 'done' | 'hold' | 'fail'

/** Reads the events of a dialect as they pass. */
export interface SseSniffer {
  /** The cheap check of every byte: false if all whole events in `bytes[start, end)` are `forward` and have nothing to record. */
  wants(bytes: Uint8Array, start: number, end: number): boolean
  /** The full check of an event selected by the cheap one; `name` is its event type, or empty. */
  classify(data: string, name: string): EventClass
  /** Removes members that the client did not request from the pieces to send. */
  trim?(pieces: readonly Uint8Array[]): readonly Uint8Array[]
  /** Whether this is an event's complete data, if the input ends without a blank line. */
  isWhole(data: string): boolean
  /** The answer itself is complete, so an end of input without a terminal event is a proper end. */
  readonly finished: boolean
}

export function openSseRelay(sniffer: SseSniffer, { limit = EVENT_LIMIT }: { readonly limit?: number } = {}): SseRelay {
  return new EventRelay(sniffer, limit)
}

const LF = 0x0a
const CR = 0x0d
/** Bytes of buffer that a stream may keep between events. */
const CARRY_KEPT = 64 * 1024
const NOTHING: readonly Uint8Array[] = Object.freeze([])
const EMPTY = new Uint8Array(0)

class EventRelay implements SseRelay {
  state: SseRelayState = 'open'
  terminal: Uint8Array = EMPTY

  readonly #sniffer: SseSniffer
  readonly #limit: number
  /** Start of an event whose end has not come yet. */
  #carry = EMPTY
  #carried = 0
  /** The current line has no bytes so far. */
  #blank = true
  /** The last byte was a CR that ended a line; an LF right after it belongs to it. */
  #afterCr = false
  /** The last event ended with a CR at the very end of a chunk: what to do with an LF that follows. */
  #pendingLf: EventClass | undefined
  /** `terminal` is an event that may be followed by another one. */
  #isHolding = false
  /** Nothing has been classified yet, so a byte order mark may come first. */
  #atStart = true

  constructor(sniffer: SseSniffer, limit: number) {
    this.#sniffer = sniffer
    this.#limit = limit
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    return this.#trimmed(this.#push(chunk))
  }

  #trimmed(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
    return this.#sniffer.trim?.(pieces) ?? pieces
  }

  #push(chunk: Uint8Array): readonly Uint8Array[] {
    if (chunk.length === 0 || this.#isClosed()) return NOTHING
    const isFresh = this.#carried === 0 && this.#pendingLf === undefined && !this.#isHolding
    if (isFresh && endsWithBlankLine(chunk) && chunk.length <= this.#limit) {
      if (!this.#sniffer.wants(chunk, 0, chunk.length)) {
        this.#atStart = false
        return this.state === 'open' ? [chunk] : NOTHING
      }
    }
    return this.#pushByEvent(chunk)
  }

  end(): SseRelayEnd {
    const forward: Uint8Array[] = []
    const tail =
      this.#carried > 0 && !this.#isClosed()
        ? eventOf(this.#carry.subarray(0, this.#carried), this.#atStart)
        : undefined
    const isCut = tail !== undefined && !this.#sniffer.isWhole(tail.data)
    if (tail !== undefined && !isCut) this.#take(this.#completeTail(), forward)
    this.#carried = 0
    const last = this.#trimmed(forward)
    if (this.state === 'done' || (this.state === 'open' && this.#sniffer.finished))
      return { outcome: 'complete', reason: '', forward: last }
    return { outcome: 'broken', reason: this.#breakReason(isCut), forward: last }
  }

  #breakReason(isCut: boolean): string {
    if (this.state === 'failed') return 'it reported an error'
    if (this.state === 'too_large') return `one event exceeds ${this.#limit} bytes`
    return isCut ? 'it ended in the middle of an event' : 'it ended without a finish reason'
  }

  #pushByEvent(chunk: Uint8Array): readonly Uint8Array[] {
    const out: Uint8Array[] = []
    let at = 0
    /** Start of the run of events that is forwarded as one piece. */
    let run = 0
    if (this.#pendingLf !== undefined && chunk[0] === LF) {
      at = 1
      if (this.#pendingLf !== 'forward') run = 1
      if (this.#pendingLf === 'hold') this.terminal = withLf(this.terminal)
    }
    this.#pendingLf = undefined
    while (at < chunk.length && !this.#isClosed()) {
      const end = this.#findEnd(chunk, at)
      if (end < 0) break
      if (this.#carried > 0) {
        this.#keep(chunk.subarray(at, end))
        if (this.#isClosed()) return out
        const eventClass = this.#take(this.#carry.slice(0, this.#carried), out)
        this.#noteLf(eventClass, chunk, end)
        this.#release()
        run = end
      } else {
        const eventClass = this.#classify(chunk, at, end)
        this.#letGo(eventClass, out)
        if (eventClass !== 'forward') {
          if (at > run) out.push(chunk.subarray(run, at))
          run = end
          if (eventClass === 'done' || eventClass === 'hold') this.#keepLast(chunk.slice(at, end), eventClass)
        }
        this.#noteLf(eventClass, chunk, end)
      }
      at = end
    }
    if (at > run) out.push(chunk.subarray(run, at))
    if (!this.#isClosed()) this.#keep(chunk.subarray(at))
    return out
  }

  #take(event: Uint8Array, out: Uint8Array[]): EventClass {
    const eventClass = this.#classify(event, 0, event.length)
    this.#letGo(eventClass, out)
    if (eventClass === 'forward') out.push(event)
    else if (eventClass === 'done' || eventClass === 'hold') this.#keepLast(event, eventClass)
    return eventClass
  }

  #keepLast(event: Uint8Array, eventClass: EventClass): void {
    this.terminal = event
    this.#isHolding = eventClass === 'hold'
  }

  /** Sends an event that was held as the end, because another one follows. Nothing from the same chunk may come in between. */
  #letGo(eventClass: EventClass, out: Uint8Array[]): void {
    if (!this.#isHolding || eventClass === 'drop') return
    out.push(this.terminal)
    this.terminal = EMPTY
    this.#isHolding = false
  }

  #classify(bytes: Uint8Array, start: number, end: number): EventClass {
    if (end - start > this.#limit) {
      this.state = 'too_large'
      return 'drop'
    }
    const isWanted = this.#sniffer.wants(bytes, start, end) || this.#isHolding
    const event = isWanted ? eventOf(bytes.subarray(start, end), this.#atStart) : undefined
    this.#atStart = false
    // A comment or a blank line is not an event, so the held event is still the end.
    if (event === undefined && this.#isHolding) return 'drop'
    const eventClass = event === undefined ? 'forward' : this.#sniffer.classify(event.data, event.name)
    if (this.state === 'failed') return 'drop'
    if (eventClass === 'done') this.state = 'done'
    else if (eventClass === 'fail') this.state = 'failed'
    return eventClass
  }

  /** Index after the blank line that ends the event, or -1 if the chunk ends first. */
  #findEnd(chunk: Uint8Array, from: number): number {
    let blank = this.#blank
    let afterCr = this.#afterCr
    for (let i = from; ; i++) {
      const lineEnd = nextLineEnd(chunk, i)
      if (lineEnd > i) {
        blank = false
        afterCr = false
        i = lineEnd
      }
      if (i >= chunk.length) break
      const isLf = chunk[i] === LF
      if (isLf && afterCr) {
        afterCr = false
      } else if (blank) {
        this.#blank = true
        this.#afterCr = false
        return !isLf && chunk[i + 1] === LF ? i + 2 : i + 1
      } else {
        blank = true
        afterCr = !isLf
      }
    }
    this.#blank = blank
    this.#afterCr = afterCr
    return -1
  }

  #noteLf(eventClass: EventClass, chunk: Uint8Array, end: number): void {
    this.#pendingLf = end === chunk.length && chunk[end - 1] === CR ? eventClass : undefined
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#carried + bytes.length
    if (length > this.#limit) {
      this.state = 'too_large'
      this.#carry = EMPTY
      this.#carried = 0
      return
    }
    if (length > this.#carry.length) {
      const larger = new Uint8Array(Math.min(this.#limit, Math.max(length, this.#carry.length * 2)))
      larger.set(this.#carry.subarray(0, this.#carried))
      this.#carry = larger
    }
    this.#carry.set(bytes, this.#carried)
    this.#carried = length
  }

  /** Drops the carried event; a buffer grown for one large event is not kept for the rest of the stream. */
  #release(): void {
    this.#carried = 0
    if (this.#carry.length > CARRY_KEPT) this.#carry = EMPTY
  }

  /** The carried event with the line ends that the upstream left out. */
  #completeTail(): Uint8Array {
    const missing = this.#blank ? 1 : 2
    const event = new Uint8Array(this.#carried + missing).fill(LF)
    event.set(this.#carry.subarray(0, this.#carried))
    return event
  }

  #isClosed(): boolean {
    return this.state === 'done' || this.state === 'too_large'
  }
}

function withLf(event: Uint8Array): Uint8Array {
  const whole = new Uint8Array(event.length + 1).fill(LF)
  whole.set(event)
  return whole
}
