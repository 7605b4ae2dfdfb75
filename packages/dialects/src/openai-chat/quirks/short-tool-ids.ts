import { digest } from '../../canon/digest.ts'
import { asObject, type JsonObject } from '../../json-value.ts'

const SHORT = /^[A-Za-z0-9]{9}$/
const LENGTH = 9

/**
 * Ids of nine letters and digits for calls that have others, the same for the call and its result. They are derived from the id, so
 * that each turn of a conversation writes them alike and prompt caches are hit.
 */
export class ShortToolIds {
  readonly #known = new Map<string, string>()
  readonly #taken = new Set<string>()

  rewrite(message: JsonObject): JsonObject {
    const { tool_calls: calls, tool_call_id: answered } = message
    return {
      ...message,
      ...(Array.isArray(calls) ? { tool_calls: calls.map((call: unknown) => this.#rewriteCall(call)) } : {}),
      ...(typeof answered === 'string' ? { tool_call_id: this.#shortOf(answered) } : {}),
    }
  }

  #rewriteCall(call: unknown): unknown {
    const { id } = asObject(call) ?? {}
    return typeof id === 'string' ? { ...asObject(call), id: this.#shortOf(id) } : call
  }

  #shortOf(id: string): string {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    let short = SHORT.test(id) ? id : digest(id, LENGTH)
    for (let again = 1; this.#taken.has(short); again++) short = digest(`${id} ${again}`, LENGTH)
    this.#taken.add(short)
    this.#known.set(id, short)
    return short
  }
}
