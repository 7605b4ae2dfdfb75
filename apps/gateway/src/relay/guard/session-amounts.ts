import type { PauseChange, PauseKey, PauseRow } from '@sluice/store/queries/token-pauses'

/** A call's claim on its session: all calls of one token with the same session name, or, without a name, on the same day. */
export interface SessionClaim {
  readonly tokenId: number
  /** Digest of the name, or `day <date>`. */
  readonly subject: string
  /** The most that one session of the token may cost, in mq. */
  readonly limit: bigint
}

/** busy → the remaining amount is held by other running calls of the session. */
export type SessionAnswer = 'within' | SessionRefusal
export type SessionRefusal =
  | { readonly reason: 'session'; readonly spent: bigint; readonly limit: bigint }
  | { readonly reason: 'session_busy' }
  | { readonly reason: 'session_unavailable' }

export interface SessionAmountsDeps {
  readonly read: (key: PauseKey) => Promise<PauseRow | undefined>
  readonly add: (change: PauseChange) => Promise<PauseRow>
  /** How many processes share the database. */
  readonly replicas: () => number
  /** Unix milliseconds. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

const REMEMBERED = 10_000
/** How long a charge may wait to be written; also the age at which rows of other replicas are read again. */
export const WRITE_MS = 1_000
const WRITTEN = 200

interface Session {
  readonly key: PauseKey
  /** The total in the database, over all processes. */
  spent: bigint
  allowance: bigint
  /** Charged here, on its way to the database. */
  writing: bigint
  /** Charged here, not yet on its way. */
  unwritten: bigint
  held: bigint
  /** Set when the row must be updated: since when the session is paused, or 0 if it no longer is. */
  pausedMs: number | undefined
  isPaused: boolean
  /** -Infinity: must be read before it is used. */
  readAt: number
}

/** Costs and holds of the tokens' sessions, in mq; `write` writes the charges made here. */
export class SessionAmounts {
  readonly #deps: SessionAmountsDeps
  readonly #onDue: () => void
  readonly #sessions = new Map<string, Session>()
  readonly #taken = new Map<string, { readonly session: Session; amount: bigint }>()
  readonly #dirty = new Set<Session>()

  constructor(deps: SessionAmountsDeps, onDue: () => void) {
    this.#deps = deps
    this.#onDue = onDue
  }

  async take(requestId: string, { tokenId, subject, limit }: SessionClaim, amount: bigint): Promise<SessionAnswer> {
    const session = this.#sessionOf({ tokenId, rule: 'session', subject })
    if (session === undefined) return { reason: 'session_busy' }
    if (this.#isStale(session)) {
      try {
        this.#adopt(session, await this.#deps.read(session.key))
      } catch (error) {
        this.#deps.onError(error)
        return { reason: 'session_unavailable' }
      }
    }
    const most = limit + session.allowance
    const spent = session.spent + session.writing + session.unwritten
    if (spent + amount > most) {
      if (!session.isPaused) this.#pause(session, this.#deps.now())
      return { reason: 'session', spent, limit: most }
    }
    if (spent + session.held + amount > most) return { reason: 'session_busy' }
    // The token's limit has been raised, or this call needs less.
    if (session.isPaused) this.#pause(session, 0)
    session.held += amount
    this.#taken.set(requestId, { session, amount })
    return 'within'
  }

  grow(requestId: string, amount: bigint): void {
    const hold = this.#taken.get(requestId)
    if (hold === undefined) return
    hold.session.held += amount - hold.amount
    hold.amount = amount
  }

  end(requestId: string, amount: bigint): void {
    const hold = this.#taken.get(requestId)
    if (hold === undefined) return
    this.#taken.delete(requestId)
    const { session } = hold
    session.held -= hold.amount
    if (amount === 0n) return
    session.unwritten += amount
    this.#mark(session)
  }

  released(key: PauseKey): void {
    const session = this.#sessions.get(pauseName(key))
    if (session !== undefined) session.readAt = -Infinity
  }

  get isDue(): boolean {
    return this.#dirty.size > 0
  }

  async write(): Promise<void> {
    for (const session of [...this.#dirty].slice(0, WRITTEN)) {
      this.#dirty.delete(session)
      const { pausedMs } = session
      session.writing = session.unwritten
      session.unwritten = 0n
      session.pausedMs = undefined
      try {
        const change = { ...session.key, spent: session.writing, pausedMs, untilMs: undefined }
        // oxlint-disable-next-line no-await-in-loop -- one statement at a time: no paid request waits for it
        this.#adopt(session, await this.#deps.add(change))
      } catch (error) {
        session.unwritten += session.writing
        session.pausedMs ??= pausedMs
        this.#dirty.add(session)
        this.#deps.onError(error)
      }
      session.writing = 0n
    }
  }

  #sessionOf(key: PauseKey): Session | undefined {
    const name = pauseName(key)
    const known = this.#sessions.get(name)
    if (known !== undefined) {
      this.#sessions.delete(name)
      this.#sessions.set(name, known)
      return known
    }
    if (this.#sessions.size >= REMEMBERED && !this.#dropIdle()) return undefined
    const session: Session = {
      key,
      spent: 0n,
      allowance: 0n,
      writing: 0n,
      unwritten: 0n,
      held: 0n,
      pausedMs: undefined,
      isPaused: false,
      readAt: -Infinity,
    }
    this.#sessions.set(name, session)
    return session
  }

  #dropIdle(): boolean {
    for (const [name, session] of this.#sessions) {
      if (session.held > 0n || session.writing > 0n || this.#dirty.has(session)) continue
      this.#sessions.delete(name)
      return true
    }
    return false
  }

  #isStale({ readAt, writing: underWay }: Session): boolean {
    if (readAt === -Infinity) return true
    return this.#deps.replicas() > 1 && underWay === 0n && this.#deps.now() - readAt > WRITE_MS
  }

  #adopt(session: Session, row: PauseRow | undefined): void {
    session.spent = row?.spent ?? 0n
    session.allowance = row?.allowance ?? 0n
    session.isPaused = (row?.pausedMs ?? 0) > 0
    session.readAt = this.#deps.now()
  }

  /** `pausedMs`: since when, or 0 to end the pause. */
  #pause(session: Session, pausedMs: number): void {
    session.isPaused = pausedMs > 0
    session.pausedMs = pausedMs
    this.#mark(session)
  }

  #mark(session: Session): void {
    this.#dirty.add(session)
    this.#onDue()
  }
}

export const pauseName = ({ tokenId, rule, subject }: PauseKey): string => `${tokenId} ${rule} ${subject}`
