import type { PauseKey } from '@sluice/store/queries/token-pauses'
import { BodyCounts } from './body-counts.ts'
import {
  SessionAmounts,
  type SessionAmountsDeps,
  type SessionAnswer,
  type SessionClaim,
  WRITE_MS,
} from './session-amounts.ts'

/** Keeps a single session or loop of a token from using up its monthly budget. */
export interface TokenGuard {
  /** Counts `amount` as held by this request until `end`, if the session allows it. */
  take(requestId: string, claim: SessionClaim, amount: bigint): Promise<SessionAnswer>
  /** No effect if the request was not counted. */
  grow(requestId: string, amount: bigint): void
  /** A request has ended and cost this, in mq. May be repeated. */
  end(requestId: string, amount: bigint): void
  /** Counts a call with this body. After too many in a minute, returns the end of the body's pause, in unix milliseconds. */
  countBody(tokenId: number, digest: string, limit: number): Promise<number | undefined>
  /** This pause's row has changed, so it is read again before the next call. */
  released(key: PauseKey): void
  close(): Promise<void>
}

export interface TokenGuardDeps extends SessionAmountsDeps {
  readonly after: (ms: number, task: () => void) => () => void
}

export function createTokenGuard(deps: TokenGuardDeps): TokenGuard {
  let isDue = false
  let writing: Promise<void> | undefined
  const schedule = (): void => {
    if (isDue) return
    isDue = true
    deps.after(WRITE_MS, () => void flush())
  }
  const sessions = new SessionAmounts(deps, schedule)
  const bodies = new BodyCounts(deps, schedule)
  const write = async (): Promise<void> => {
    isDue = false
    await sessions.write()
    await bodies.write()
    if (sessions.isDue) schedule()
  }
  const flush = (): Promise<void> =>
    (writing ??= write().finally(() => {
      writing = undefined
    }))
  return {
    take: (requestId, claim, amount) => sessions.take(requestId, claim, amount),
    grow: (requestId, amount) => sessions.grow(requestId, amount),
    end: (requestId, amount) => sessions.end(requestId, amount),
    countBody: (tokenId, digest, limit) => bodies.count(tokenId, digest, limit),
    released: (key) => {
      sessions.released(key)
      bodies.released(key)
    },
    close: async () => {
      await writing
      await flush()
    },
  }
}
