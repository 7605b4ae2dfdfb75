import type { Log } from '@sluice/contract/log'

export type TokenClass =
  | 'prompt'
  | 'cachedPrompt'
  | 'cacheWrite5m'
  | 'cacheWrite1h'
  | 'completion'
  | 'cachedCompletion'
  | 'reasoning'

export interface TokenCount {
  readonly name: TokenClass
  readonly tokens: number
}

/** By class. Prompt and completion are always included; other classes only when they have tokens. */
export function tokenCounts(row: Log): readonly TokenCount[] {
  const { cache_write_tokens: written, reasoning_tokens } = row.metadata
  const counts: readonly (TokenCount & { readonly always?: true })[] = [
    { name: 'prompt', tokens: row.prompt_tokens, always: true },
    { name: 'cachedPrompt', tokens: row.cached_prompt_tokens },
    { name: 'cacheWrite5m', tokens: written?.ephemeral_5m ?? 0 },
    { name: 'cacheWrite1h', tokens: written?.ephemeral_1h ?? 0 },
    { name: 'completion', tokens: row.completion_tokens, always: true },
    { name: 'cachedCompletion', tokens: row.cached_completion_tokens },
    { name: 'reasoning', tokens: reasoning_tokens ?? 0 },
  ]
  return counts
    .filter(({ tokens, always }) => always === true || tokens > 0)
    .map(({ name, tokens }) => ({ name, tokens }))
}

/** Every charge's text begins like this; see the gateway's `describePrice`. */
const PRICE = /^model ratio /
/** Separates the price from the losses, and the losses from each other. */
const [PARTS, LOSSES] = ['; ', ', ']

export interface RowText {
  readonly text: string
  readonly isPrice: boolean
  /** What was not sent to the provider, or was changed first: one entry each, as in the header `X-Sluice-Losses`. */
  readonly losses: readonly string[]
}

/** A charge states its price, and then what was lost on the way to the provider. */
export function rowText(content: string): RowText {
  const isPrice = PRICE.test(content)
  const at = isPrice ? content.indexOf(PARTS) : -1
  if (at === -1) return { text: content, isPrice, losses: [] }
  return { text: content.slice(0, at), isPrice, losses: content.slice(at + PARTS.length).split(LOSSES) }
}
