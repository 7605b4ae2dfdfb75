import type { ContentEvent } from './events.ts'

/** For dialects with one open block at a time: later blocks wait. Only tool calls overlap, so at most one turn's arguments wait. */
export class SerialBlocks {
  #open: number | undefined
  readonly #waiting = new Map<number, ContentEvent[]>()

  /** Returns the events that can be sent now. */
  push(event: ContentEvent): readonly ContentEvent[] {
    this.#open ??= event.block
    if (event.block !== this.#open) {
      const queue = this.#waiting.get(event.block)
      if (queue === undefined) this.#waiting.set(event.block, [event])
      else queue.push(event)
      return []
    }
    return event.type === 'block-end' ? [event, ...this.#next()] : [event]
  }

  /** Events that waited for the block that just ended, including complete blocks after it. */
  #next(): readonly ContentEvent[] {
    this.#open = undefined
    const out: ContentEvent[] = []
    for (const [block, events] of this.#waiting) {
      this.#waiting.delete(block)
      out.push(...events)
      if (events.at(-1)?.type !== 'block-end') {
        this.#open = block
        break
      }
    }
    return out
  }
}
