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

/** What a row was charged for, by class. Prompt and completion always; the others only when they have tokens. */
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
