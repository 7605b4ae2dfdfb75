import { isTranslatedReasoning } from '@sluice/dialects/openai-responses/output-items'
import { keySet } from '@sluice/dialects/splice/key-set'
import { isScanFault, parseScalar, scanObject } from '@sluice/dialects/splice/scan'
import type { MemoryClaim } from '../../edge/upgrade.ts'

/** What a connection remembers at most: bytes of items, and responses that can be referred to. */
const MEMORY_BOUNDS = { bytes: 16_777_216, responses: 64 } as const
/** What a turn takes besides its items, roughly. */
const OVERHEAD = 256

/** What came before a request: a turn of this connection, the id of a response that is known elsewhere, or nothing. */
export type Before = Turn | string | undefined

/** One request and its answer. Turns share what came before them, so a conversation is kept once, however long its chain. */
interface Turn {
  readonly before: Before
  /** JSON of the items that the client sent and of those that it got, each piece with commas between its items. */
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
  /** How many follow it or refer to it. */
  uses: number
}

/**
 * The last responses of one connection with their conversations, so that a later request can continue one whose provider stores
 * nothing. When it is full, the oldest are forgotten; a client whose response is gone sends its conversation whole.
 */
export class ConnectionMemory {
  readonly #claim: MemoryClaim
  readonly #bounds: { readonly bytes: number; readonly responses: number }
  /** By the id of the response, oldest first. */
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

  /** Keeps what the id refers to until it is let go of. */
  take(id: string): Before {
    const turn = this.#turns.get(id)
    if (turn === undefined) return id
    turn.uses += 1
    return turn
  }

  /** Must be called once for whatever was taken. */
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

  /** A request that went on from this response has failed: what the client continues with, it sends whole. */
  evict(id: string): void {
    this.#forget(id)
    this.#claim.hold(this.#bytes)
  }

  /** The connection has ended. */
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

/** What stands for an earlier response: the id from which the rest goes on, if there is one, and the items since. */
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

/** A provider that stored nothing cannot find reasoning by its id, and refuses it without its content. */
function canBeSentAgain(item: Uint8Array): boolean {
  const scanned = scanObject(item, ITEM, { duplicates: 'last' })
  if (isScanFault(scanned)) return false
  const { type, id, encrypted_content: content } = scanned.values
  if (type === undefined || parseScalar(item, type) !== 'reasoning') return true
  if (content !== undefined && typeof parseScalar(item, content) === 'string') return true
  const name = id === undefined ? '' : parseScalar(item, id)
  return typeof name === 'string' && isTranslatedReasoning(name)
}
