/** Why nothing can be asked at the moment, or not what was requested. */
export type SetupProblem =
  | { readonly kind: 'tokens-failed' | 'no-tokens' | 'models-failed' | 'no-models' }
  /** None of the token's models is on the chosen channel. */
  | { readonly kind: 'no-match'; readonly channel: string }
  /** The token that was chosen before, or named by a link, cannot be used. */
  | { readonly kind: 'other-token' }
  /** The same for the model of a link. */
  | { readonly kind: 'link-model'; readonly model: string }

interface SetupFacts {
  readonly tokens: 'loading' | 'failed' | 'ready'
  readonly hasToken: boolean
  readonly models: 'loading' | 'failed' | 'ready'
  /** Models that the token may use, on any channel. */
  readonly offered: number
  /** Those of them on the chosen channel. */
  readonly matching: number
  /** Label of the chosen channel. */
  readonly channel: string | undefined
  readonly tokenReplaced: boolean
  /** Model of a link that is not available; '' if the link names none. */
  readonly linkModelMissing: string
}

/** The first problem; undefined while everything is well or loading. */
export function setupProblem(facts: SetupFacts): SetupProblem | undefined {
  if (facts.tokens === 'failed') return { kind: 'tokens-failed' }
  if (facts.tokens === 'loading') return undefined
  if (!facts.hasToken) return { kind: 'no-tokens' }
  if (facts.models === 'failed') return { kind: 'models-failed' }
  if (facts.models === 'loading') return undefined
  if (facts.offered === 0) return { kind: 'no-models' }
  if (facts.channel !== undefined && facts.matching === 0) return { kind: 'no-match', channel: facts.channel }
  if (facts.tokenReplaced) return { kind: 'other-token' }
  if (facts.linkModelMissing !== '') return { kind: 'link-model', model: facts.linkModelMissing }
  return undefined
}
