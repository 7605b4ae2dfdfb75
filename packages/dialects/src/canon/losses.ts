import type { JsonObject } from '../json-value.ts'
import type { ChatDialect } from './parts.ts'

/**
 * A part of a request that its provider will not receive as the client sent it. Named as in OpenAI's chat, or as in the client's
 * own dialect if only that has it: `seed`, `cache_control`, `tools[web_search]`.
 */
export interface Loss {
  readonly what: string
  /** `changed`: the provider receives something similar. */
  readonly became: 'dropped' | 'changed'
}

export class Losses {
  readonly #found = new Map<string, Loss>()

  dropped(what: string): void {
    this.#found.set(what, { what, became: 'dropped' })
  }

  changed(what: string): void {
    if (!this.#found.has(what)) this.#found.set(what, { what, became: 'changed' })
  }

  droppedExtra(extra: { readonly dialect: ChatDialect; readonly fields: JsonObject }): void {
    for (const name of Object.keys(extra.fields)) this.dropped(name)
  }

  list(): readonly Loss[] {
    return [...this.#found.values()]
  }
}

/** `seed dropped, tool_choice changed`: for a header and a log row; printable ASCII, at most `limit` characters. */
export function lossesText(losses: readonly Loss[], limit = 1_000): string {
  const text = losses.map(({ what, became }) => `${what} ${became}`).join(', ')
  const printable = text.replace(/[^\u0020-\u007e]/g, '?')
  return printable.length > limit ? `${printable.slice(0, limit - 3)}...` : printable
}
