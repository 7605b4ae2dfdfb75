const LIMIT = 64

/**
 * Converse takes ids of 1 to 64 letters, digits, `_` and `-`; some providers give others. A call and its result get the same one,
 * and no two calls share one.
 */
export class ToolUseIds {
  readonly #given = new Map<string, string>()
  readonly #taken = new Set<string>()

  of(id: string): string {
    const known = this.#given.get(id)
    if (known !== undefined) return known
    const clean = id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LIMIT)
    let fresh = clean === '' ? 'call' : clean
    for (let count = 2; this.#taken.has(fresh); count++) fresh = `${clean.slice(0, LIMIT - 8)}_${count}`
    this.#given.set(id, fresh)
    this.#taken.add(fresh)
    return fresh
  }
}
