import type { PauseChange, PauseKey } from '@sluice/store/queries/token-pauses'
import { pauseName, type SessionAmountsDeps, WRITE_MS } from './session-amounts.ts'

const REMEMBERED = 10_000
const MINUTE_MS = 60_000
/** How long a looping body is refused: a program that never stops then costs ten minutes' worth in an hour, not sixty. */
export const LOOP_PAUSE_MS = 600_000

interface Body {
  since: number
  count: number
  until: number
  readAt: number
}

/** Counts how often each body was received recently; `write` writes the resulting pauses. */
export class BodyCounts {
  readonly #deps: Omit<SessionAmountsDeps, 'replicas'>
  readonly #onDue: () => void
  readonly #bodies = new Map<string, Body>()
  readonly #pauses: PauseChange[] = []

  constructor(deps: Omit<SessionAmountsDeps, 'replicas'>, onDue: () => void) {
    this.#deps = deps
    this.#onDue = onDue
  }

  async count(tokenId: number, digest: string, limit: number): Promise<number | undefined> {
    const key: PauseKey = { tokenId, rule: 'loop', subject: digest }
    const now = this.#deps.now()
    const body = this.#bodyOf(key, now)
    if (body.until > now && now - body.readAt > WRITE_MS) {
      body.readAt = now
      const row = await this.#deps.read(key).catch(this.#deps.onError)
      // Released, on this replica or another.
      if (row !== undefined && row.pausedMs === 0) Object.assign(body, { since: now, count: 0, until: 0 })
    }
    if (body.until > now) return body.until
    if (now - body.since >= MINUTE_MS) Object.assign(body, { since: now, count: 0 })
    if (body.count < limit) {
      body.count += 1
      return undefined
    }
    Object.assign(body, { until: now + LOOP_PAUSE_MS, readAt: now + WRITE_MS })
    this.#pauses.push({ ...key, spent: 0n, pausedMs: now, untilMs: body.until })
    this.#onDue()
    return body.until
  }

  released(key: PauseKey): void {
    this.#bodies.delete(pauseName(key))
  }

  async write(): Promise<void> {
    for (const pause of this.#pauses.splice(0)) {
      // oxlint-disable-next-line no-await-in-loop -- one statement at a time: no paid request waits for it
      await this.#deps.add(pause).catch(this.#deps.onError)
    }
  }

  #bodyOf(key: PauseKey, now: number): Body {
    const name = pauseName(key)
    const body = this.#bodies.get(name) ?? { since: now, count: 0, until: 0, readAt: 0 }
    this.#bodies.delete(name)
    const [oldest] = this.#bodies.keys()
    if (this.#bodies.size >= REMEMBERED && oldest !== undefined) this.#bodies.delete(oldest)
    this.#bodies.set(name, body)
    return body
  }
}
