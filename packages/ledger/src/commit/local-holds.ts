import type { HoldOperation } from '../operation.ts'

/**
 * Holds that only this process knows of: for requests that deliver nothing before they are charged, on accounts that have plenty.
 * Nothing lasting would depend on a row: recovery gives such a hold back, as does the end of this process, and a charge does not
 * need it. So most of them never reach the database.
 *
 * kept charged, or given back → forgotten
 * kept another operation has to be decided exactly → handed out, to be written before it
 */
export class LocalHolds {
  readonly #holds = new Map<string, HoldOperation>()

  get size(): number {
    return this.#holds.size
  }

  has(requestId: string): boolean {
    return this.#holds.has(requestId)
  }

  keep(hold: HoldOperation): void {
    this.#holds.set(hold.requestId, hold)
  }

  /** Returns the hold and forgets it; undefined when it was not kept. */
  take(requestId: string): HoldOperation | undefined {
    const hold = this.#holds.get(requestId)
    if (hold !== undefined) this.#holds.delete(requestId)
    return hold
  }

  /** Returns all holds, or those on these accounts, in the order in which they were opened, and forgets them. */
  takeAll(accounts?: readonly number[]): readonly HoldOperation[] {
    if (this.#holds.size === 0) return NONE
    const taken: HoldOperation[] = []
    for (const hold of this.#holds.values()) {
      if (accounts?.includes(hold.account) === false && !accounts.includes(hold.limitAccount)) continue
      taken.push(hold)
    }
    for (const { requestId } of taken) this.#holds.delete(requestId)
    return taken
  }
}

const NONE: readonly HoldOperation[] = []
