import { shortened } from '../digest.ts'

export interface CallIdRule {
  /** Characters; longer ids are refused. */
  readonly limit: number
  /** Only letters, digits, `_` and `-`. */
  readonly isPlain?: boolean | undefined
}

/** Gives each call a unique, acceptable id. Ids depend only on earlier ones, so that each turn of a conversation repeats them. */
export class UniqueIds {
  readonly #rule: CallIdRule | undefined
  readonly #taken = new Set<string>()
  /** The number for the next repeat, by the id after the rule is applied. */
  readonly #repeats = new Map<string, number>()
  readonly #last = new Map<string, string>()

  constructor(rule: CallIdRule | undefined) {
    this.#rule = rule
  }

  /** The provider's id for a new call with the client's `id`. */
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

  /** The id of the latest call with this client id; without such a call, the id after the rule is applied. */
  lastOf(id: string): string {
    return this.#last.get(id) ?? this.#fitted(id)
  }

  #fitted(id: string): string {
    const plain = this.#rule?.isPlain === true ? id.replace(/[^a-zA-Z0-9_-]/g, '_') : id
    return plain === '' ? 'call' : shortened(plain, this.#rule?.limit ?? Infinity)
  }
}

/** Maximum characters of the number at the end. */
const SUFFIX = 8
