/** Why a call with a token got no answer, in the words that its client got. */
export interface TokenRefusal {
  readonly tokenId: number
  /** Code of the error catalogue. */
  readonly code: string
  readonly message: string
}

export interface DatedRefusal extends TokenRefusal {
  /** Unix milliseconds. */
  readonly at: number
}

/** The latest refusal of each token in this process, for the token's owner. */
export interface LatestRefusals {
  note(refusal: TokenRefusal): void
  of(tokenId: number): DatedRefusal | undefined
}

const TOKENS_MAX = 1_000
const MESSAGE_MAX = 500

/** @param now unix milliseconds */
export function createLatestRefusals(now: () => number): LatestRefusals {
  const latest = new Map<number, DatedRefusal>()
  return {
    note: ({ tokenId, code, message }) => {
      // The order of the map is that of the last refusals.
      latest.delete(tokenId)
      latest.set(tokenId, { tokenId, code, message: message.slice(0, MESSAGE_MAX), at: now() })
      for (const oldest of latest.keys()) {
        if (latest.size <= TOKENS_MAX) return
        latest.delete(oldest)
      }
    },
    of: (tokenId) => latest.get(tokenId),
  }
}
