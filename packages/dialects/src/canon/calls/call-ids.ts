import { shortened } from '../digest.ts'

/** Ids of calls that a provider takes. */
export interface CallIdRule {
  /** Characters; longer ids are refused. */
  readonly limit: number
  /** Only letters, digits, `_` and `-`. */
  readonly isPlain?: boolean | undefined
}

/**
 * Gives each call of a conversation an id that its provider takes and that no other call has: some providers number the calls of
 * each answer again. Ids depend only on those before them, so that each turn of a conversation writes them alike.
 */
export class UniqueIds {
  readonly #rule: CallIdRule | undefined
  readonly #taken = new Set<string>()
  /** By the id as the rule has it: the number that the next repeat gets. */
  readonly #repeats = new Map<string, number>()
  readonly #last = new Map<string, string>()

  constructor(rule: CallIdRule | undefined) {
    this.#rule = rule
  }

  /** The id of a call whose client calls it `id`. */
  newOf(id: string): string {
    const base = this.#fitted(id)
    let fresh = base
    for (let count = this.#repeats.get(base) ?? 2; this.#taken.has(fresh); count++) {
      fresh = `${base.slice(0, (this.#rule?.limit ?? Infinity) - SUFFIX).toWellFormed()}_${count}`
      this.#repeats.set(base, count + 1)
    }
    this.#taken.add(fresh)
    this.#last.set(id, fresh)
    return fresh
  }

  /** The one that the latest call of this id has; for an id without a call, as the rule has it. */
  lastOf(id: string): string {
    return this.#last.get(id) ?? this.#fitted(id)
  }

  #fitted(id: string): string {
    const plain = this.#rule?.isPlain === true ? id.replace(/[^a-zA-Z0-9_-]/g, '_') : id
    return plain === '' ? 'call' : shortened(plain, this.#rule?.limit ?? Infinity)
  }
}

/** Characters that a number at the end may take. */
const SUFFIX = 8
