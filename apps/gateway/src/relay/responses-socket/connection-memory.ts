import { isTranslatedReasoning } from '@sluice/dialects/openai-responses/output-items'
import { keySet } from '@sluice/dialects/splice/key-set'
import { isScanFault, parseScalar, scanObject } from '@sluice/dialects/splice/scan'
import type { MemoryClaim } from '../../edge/upgrade.ts'

/** Limits of a connection's memory: bytes of items, and responses that can be referred to. */
const MEMORY_BOUNDS = { bytes: 16_777_216, responses: 64 } as const
/** Approximate memory of a turn besides its items. */
const OVERHEAD = 256

/** The predecessor of a request: a turn of this connection, the id of a response stored elsewhere, or nothing. */
export type Before = Turn | string | undefined

/** Turns share their predecessors, so a conversation is kept only once, however long its chain. */
interface Turn {
  readonly before: Before
  /** JSON of the items that the client sent and received, each piece with commas between its items. */
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
  /** Number of turns that continue this one, plus references to it. */
  uses: number
}

/**
 * The connection's last responses with their conversations, so that a request can continue one whose provider stores nothing. When
 * the memory is full, the oldest are removed; a client whose response is missing sends its whole conversation.
 */
export class ConnectionMemory {
  readonly #claim: MemoryClaim
  readonly #bounds: { readonly bytes: number; readonly responses: number }
  /** By response id, oldest first. */
  readonly #turns = new Map<string, Turn>()
  #bytes = 0
  #isOver = false

  constructor(claim: MemoryClaim, bounds: { readonly bytes: number; readonly responses: number } = MEMORY_BOUNDS) {
    this.#claim = claim
    this.#bounds = bounds
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Keeps the turn of this id until it is released with `letGo`. */
  take(id: string): Before {
    const turn = this.#turns.get(id)
    if (turn === undefined) return id
    turn.uses += 1
    return turn
  }

  /** Must be called once for everything taken. */
  letGo(before: Before): void {
    for (let turn = before; typeof turn === 'object'; turn = turn.before) {
      turn.uses -= 1
      if (turn.uses > 0) break
      this.#bytes -= turn.bytes
    }
    this.#claim.hold(this.#bytes)
  }

  /** `input` is JSON of the client's new items, `output` of each item of the answer. `before` stays taken. */
  remember(id: string, before: Before, input: Uint8Array | undefined, output: readonly Uint8Array[]): void {
    if (this.#isOver) return
    const kept = output.filter(canBeSentAgain).map((item) => new Uint8Array(item))
    const pieces = [...(input === undefined ? [] : [input]), ...kept].filter(({ length }) => length > 0)
    const bytes = pieces.reduce((sum, { length }) => sum + length, OVERHEAD)
    this.#forget(id)
    if (typeof before === 'object') before.uses += 1
    this.#turns.set(id, { before, pieces, bytes, uses: 1 })
    this.#bytes += bytes
    while (this.#turns.size > this.#bounds.responses) this.#forgetOldest()
    while (this.#turns.size > 0 && (this.#bytes > this.#bounds.bytes || this.#claim.hold(this.#bytes) !== undefined)) {
      this.#forgetOldest()
    }
  }

  /** A request that continued from this response failed, so the client will send its whole conversation next. */
  evict(id: string): void {
    this.#forget(id)
    this.#claim.hold(this.#bytes)
  }

  clear(): void {
    this.#isOver = true
    this.#turns.clear()
    this.#claim.release()
  }

  #forgetOldest(): void {
    for (const id of this.#turns.keys()) return this.#forget(id)
  }

  #forget(id: string): void {
    const turn = this.#turns.get(id)
    if (turn === undefined) return
    this.#turns.delete(id)
    this.letGo(turn)
  }
}

/** The replacement for an earlier response: the id to continue from, if any, and the items since. */
export function recalled(before: Before): {
  readonly root: string | undefined
  readonly pieces: readonly Uint8Array[]
} {
  const turns: Turn[] = []
  let at = before
  for (; typeof at === 'object'; at = at.before) turns.push(at)
  return { root: at, pieces: turns.toReversed().flatMap(({ pieces }) => pieces) }
}

const ITEM = keySet('type', 'id', 'encrypted_content')

/** A provider that stores no responses cannot find reasoning by id, and refuses it without its content. */
function canBeSentAgain(item: Uint8Array): boolean {
  const scanned = scanObject(item, ITEM, { duplicates: 'last' })
  if (isScanFault(scanned)) return false
  const { type, id, encrypted_content: content } = scanned.values
  if (type === undefined || parseScalar(item, type) !== 'reasoning') return true
  if (content !== undefined && typeof parseScalar(item, content) === 'string') return true
  const name = id === undefined ? '' : parseScalar(item, id)
  return typeof name === 'string' && isTranslatedReasoning(name)
}
