import type { LedgerEngine } from '../engine.ts'
import type { Timers } from '../timers.ts'

const HEARTBEAT_MS = 10_000
const RECOVERY_MS = 15_000
/** A replica that was silent for this long is dead to the others. */
const DEAD_AFTER_MS = 60_000
/** Longest time for signing off, so that an unreachable database does not delay the end of the process. */
const LEAVE_MS = 2_000

export interface ReplicaLife {
  /** True once another replica has declared this one dead. */
  readonly dead: boolean
  /**
   * Renews the replica; false when a renewal is in progress or the replica is dead. Rejects when the database cannot be written.
   */
  beat(): Promise<boolean>
  /** Stops the timers, waits for what they started, and signs the replica off. */
  end(): Promise<void>
}

interface ReplicaLifeOptions {
  readonly engine: LedgerEngine
  readonly replica: string
  /** No other process can be running, so every earlier replica counts as dead at once. */
  readonly alone: boolean
  readonly timers: Timers
  readonly remindBelow?: () => bigint
  /** Called once, when the others have declared this replica dead. */
  readonly onDead: () => void
  readonly onFailure: (error: unknown) => void
}

/** Closes the holds that dead replicas left, registers this one, then renews it every 10 s and checks for dead ones every 15 s. */
export async function startReplicaLife(options: ReplicaLifeOptions): Promise<ReplicaLife> {
  const life = new RegisteredReplica(options)
  await life.register()
  return life
}

class RegisteredReplica implements ReplicaLife {
  readonly #options: ReplicaLifeOptions
  #dead = false
  #busy: Promise<void> | undefined
  #stops: readonly (() => void)[] = []

  constructor(options: ReplicaLifeOptions) {
    this.#options = options
  }

  get dead(): boolean {
    return this.#dead
  }

  async register(): Promise<void> {
    const { alone, timers } = this.#options
    await this.#recoverSilent(alone ? { deadAfterMs: 0 } : this.#beside())
    await this.#heartbeat()
    this.#stops = [
      timers.every(HEARTBEAT_MS, () => this.#unlessBusy(() => this.#heartbeat())),
      timers.every(RECOVERY_MS, () => this.#unlessBusy(() => this.#recover())),
    ]
  }

  async beat(): Promise<boolean> {
    if (this.#busy !== undefined) return false
    const beat = this.#heartbeat()
    this.#busy = beat.catch(() => {}).finally(() => (this.#busy = undefined))
    await beat
    return !this.#dead
  }

  async end(): Promise<void> {
    const { engine, replica, timers, onFailure } = this.#options
    for (const stop of this.#stops) stop()
    const left = (async () => {
      await this.#busy
      await engine.leave(replica)
    })().catch(onFailure)
    await new Promise<void>((resolve) => {
      const stop = timers.after(LEAVE_MS, resolve)
      void left.then(() => {
        stop()
        resolve()
      })
    })
  }

  async #heartbeat(): Promise<void> {
    const { engine, replica, onDead } = this.#options
    if (this.#dead || (await engine.heartbeat(replica)) || this.#dead) return
    this.#dead = true
    onDead()
  }

  /** After a machine slept, both timers are due: all awake replicas must report before any replica checks for dead ones. */
  async #recover(): Promise<void> {
    await this.#heartbeat()
    if (!this.#dead) await this.#recoverSilent(this.#beside())
  }

  async #recoverSilent(silent: { readonly deadAfterMs: number; readonly by?: string }): Promise<void> {
    const { engine, remindBelow } = this.#options
    const below = remindBelow?.()
    await engine.recover({ ...silent, dead: [], ...(below !== undefined && { remindBelow: below }) })
  }

  #beside(): { readonly deadAfterMs: number; readonly by: string } {
    return { deadAfterMs: DEAD_AFTER_MS, by: this.#options.replica }
  }

  /** Skips a beat while the previous one is in progress. */
  #unlessBusy(work: () => Promise<void>): void {
    this.#busy ??= work()
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#busy = undefined
      })
  }
}
