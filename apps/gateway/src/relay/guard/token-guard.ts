import type { PauseChange, PauseKey, PauseRow } from '@sluice/store/queries/token-pauses'

/** What a call claims of its session: all calls of one token that name the same one, or none on the same day. */
export interface SessionClaim {
  readonly tokenId: number
  /** Digest of the name, or `day <date>`. */
  readonly subject: string
  /** The most that one session of the token may cost, in mq. */
  readonly limit: bigint
}

/** busy → what is left of the amount is held by other calls of the session that run now. */
export type SessionAnswer = 'within' | SessionRefusal
export type SessionRefusal =
  | { readonly reason: 'session'; readonly spent: bigint; readonly limit: bigint }
  | { readonly reason: 'session_busy' }
  | { readonly reason: 'session_unavailable' }

/** What keeps one session or one loop of a token from eating its month. */
export interface TokenGuard {
  /** Counts `amount` as held by this request until `end`, if the session allows it. */
  take(requestId: string, claim: SessionClaim, amount: bigint): Promise<SessionAnswer>
  /** The hold of a request has grown to this. No effect on one that was not taken. */
  grow(requestId: string, amount: bigint): void
  /** A request has ended and cost this, in mq. May be repeated. */
  end(requestId: string, amount: bigint): void
  /** Counts a call with this body. When that is one too many in a minute: until when it is paused, in unix milliseconds. */
  countBody(tokenId: number, digest: string, limit: number): Promise<number | undefined>
  /** Its row has changed: it is read again before the next call. */
  released(key: PauseKey): void
  /** Writes what is not yet written. */
  close(): Promise<void>
}

export interface TokenGuardDeps {
  readonly read: (key: PauseKey) => Promise<PauseRow | undefined>
  readonly add: (change: PauseChange) => Promise<PauseRow>
  /** How many processes share the database. */
  readonly replicas: () => number
  /** Unix milliseconds. */
  readonly now: () => number
  readonly after: (ms: number, task: () => void) => () => void
  readonly onError: (error: unknown) => void
}

/** Sessions, and bodies, that are remembered at the same time. */
const REMEMBERED = 10_000
/** How long a charge may wait to be written; also the age at which rows of other replicas are read again. */
const WRITE_MS = 1_000
/** Rows written at a time. */
const WRITTEN = 200
const MINUTE_MS = 60_000
/** How long the body of a loop is refused: a program that goes on and on then gets ten minutes' worth in an hour, not sixty. */
export const LOOP_PAUSE_MS = 600_000

interface Session {
  readonly key: PauseKey
  /** As the database has it: all processes together. */
  spent: bigint
  allowance: bigint
  /** Charged here, on its way to the database. */
  writing: bigint
  /** Charged here, not yet on its way. */
  unwritten: bigint
  held: bigint
  /** Set when the row must say so: since when it is paused, or 0 when it no longer is. */
  pausedMs: number | undefined
  isPaused: boolean
  /** -Infinity: to be read before it is used. */
  readAt: number
}

interface Body {
  since: number
  count: number
  until: number
  readAt: number
}

export function createTokenGuard(deps: TokenGuardDeps): TokenGuard {
  const sessions = new Map<string, Session>()
  const bodies = new Map<string, Body>()
  const taken = new Map<string, { readonly session: Session; amount: bigint }>()
  const dirty = new Set<Session>()
  const pauses: PauseChange[] = []
  let isDue = false
  let writing: Promise<void> | undefined

  const write = async (): Promise<void> => {
    isDue = false
    const due = [...dirty].slice(0, WRITTEN)
    for (const session of due) {
      dirty.delete(session)
      const { pausedMs } = session
      session.writing = session.unwritten
      session.unwritten = 0n
      session.pausedMs = undefined
      try {
        // oxlint-disable-next-line no-await-in-loop -- one statement at a time: this is beside the paid path
        const row = await deps.add({ ...session.key, spent: session.writing, pausedMs, untilMs: undefined })
        adopt(session, row)
      } catch (error) {
        session.unwritten += session.writing
        session.pausedMs ??= pausedMs
        dirty.add(session)
        deps.onError(error)
      }
      session.writing = 0n
    }
    for (const pause of pauses.splice(0)) {
      // oxlint-disable-next-line no-await-in-loop -- see above
      await deps.add(pause).catch(deps.onError)
    }
    if (dirty.size > 0) schedule()
  }
  const flush = (): Promise<void> =>
    (writing ??= write().finally(() => {
      writing = undefined
    }))
  const schedule = (): void => {
    if (isDue) return
    isDue = true
    deps.after(WRITE_MS, () => void flush())
  }
  const mark = (session: Session): void => {
    dirty.add(session)
    schedule()
  }
  const adopt = (session: Session, row: PauseRow | undefined): void => {
    session.spent = row?.spent ?? 0n
    session.allowance = row?.allowance ?? 0n
    session.isPaused = (row?.pausedMs ?? 0) > 0
    session.readAt = deps.now()
  }

  const sessionOf = (key: PauseKey): Session | undefined => {
    const name = nameOf(key)
    const known = sessions.get(name)
    if (known !== undefined) {
      sessions.delete(name)
      sessions.set(name, known)
      return known
    }
    if (sessions.size >= REMEMBERED && !dropIdle()) return undefined
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
    sessions.set(name, session)
    return session
  }
  const dropIdle = (): boolean => {
    for (const [name, session] of sessions) {
      if (session.held > 0n || session.writing > 0n || dirty.has(session)) continue
      sessions.delete(name)
      return true
    }
    return false
  }
  const isStale = ({ readAt, writing: underWay }: Session): boolean =>
    readAt === -Infinity || (deps.replicas() > 1 && underWay === 0n && deps.now() - readAt > WRITE_MS)

  return {
    take: async (requestId, { tokenId, subject, limit }, amount) => {
      const session = sessionOf({ tokenId, rule: 'session', subject })
      if (session === undefined) return { reason: 'session_busy' }
      if (isStale(session)) {
        try {
          adopt(session, await deps.read(session.key))
        } catch (error) {
          deps.onError(error)
          return { reason: 'session_unavailable' }
        }
      }
      const most = limit + session.allowance
      const spent = session.spent + session.writing + session.unwritten
      if (spent + amount > most) {
        if (!session.isPaused) {
          session.isPaused = true
          session.pausedMs = deps.now()
          mark(session)
        }
        return { reason: 'session', spent, limit: most }
      }
      if (spent + session.held + amount > most) return { reason: 'session_busy' }
      if (session.isPaused) {
        // The token allows more by now, or this call takes less.
        session.isPaused = false
        session.pausedMs = 0
        mark(session)
      }
      session.held += amount
      taken.set(requestId, { session, amount })
      return 'within'
    },
    grow: (requestId, amount) => {
      const hold = taken.get(requestId)
      if (hold === undefined) return
      hold.session.held += amount - hold.amount
      hold.amount = amount
    },
    end: (requestId, amount) => {
      const hold = taken.get(requestId)
      if (hold === undefined) return
      taken.delete(requestId)
      const { session } = hold
      session.held -= hold.amount
      if (amount === 0n) return
      session.unwritten += amount
      mark(session)
    },
    countBody: async (tokenId, digest, limit) => {
      const key: PauseKey = { tokenId, rule: 'loop', subject: digest }
      const name = nameOf(key)
      const now = deps.now()
      const body = bodies.get(name) ?? { since: now, count: 0, until: 0, readAt: 0 }
      bodies.delete(name)
      const [oldest] = bodies.keys()
      if (bodies.size >= REMEMBERED && oldest !== undefined) bodies.delete(oldest)
      bodies.set(name, body)
      if (body.until > now && now - body.readAt > WRITE_MS) {
        body.readAt = now
        const row = await deps.read(key).catch(deps.onError)
        // Released, here or at another replica.
        if (row !== undefined && row.pausedMs === 0) Object.assign(body, { since: now, count: 0, until: 0 })
      }
      if (body.until > now) return body.until
      if (now - body.since >= MINUTE_MS) Object.assign(body, { since: now, count: 0 })
      if (body.count < limit) {
        body.count += 1
        return undefined
      }
      Object.assign(body, { until: now + LOOP_PAUSE_MS, readAt: now + WRITE_MS })
      pauses.push({ ...key, spent: 0n, pausedMs: now, untilMs: body.until })
      schedule()
      return body.until
    },
    released: (key) => {
      const session = sessions.get(nameOf(key))
      if (session !== undefined) session.readAt = -Infinity
      bodies.delete(nameOf(key))
    },
    close: async () => {
      await writing
      await flush()
    },
  }
}

const nameOf = ({ tokenId, rule, subject }: PauseKey): string => `${tokenId} ${rule} ${subject}`
