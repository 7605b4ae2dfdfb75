import type { LedgerEngine } from '../engine.ts'
import type { Timers } from '../timers.ts'

const HEARTBEAT_MS = 10_000
const RECOVERY_MS = 15_000
/** A replica that was silent for this long is dead to the others. */
const DEAD_AFTER_MS = 60_000
/** A database that is away does not hold up the end of the process. */
const LEAVE_MS = 2_000

export interface ReplicaLife {
  /** True once another replica has declared this one dead. */
  readonly dead: boolean
  /** Renews the replica now; false when a renewal is under way or it is dead. Rejects when the database cannot be written. */
  beat(): Promise<boolean>
  /** Stops the timers, waits for what they started, and signs the replica off. */
  end(): Promise<void>
}

/**
 * Closes the holds that dead replicas left, registers this one, then renews it every 10 s and checks for dead ones every 15 s. With
 * `alone`, no other process can be running: every earlier replica is dead at once.
 */
export async function startReplicaLife(options: {
  readonly engine: LedgerEngine
  readonly replica: string
  readonly alone: boolean
  readonly timers: Timers
  readonly remindBelow?: () => bigint
  /** Called once, when the others have declared this replica dead. */
  readonly onDead: () => void
  readonly onFailure: (error: unknown) => void
}): Promise<ReplicaLife> {
  const { engine, replica, timers, onDead, onFailure } = options
  let dead = false
  let busy: Promise<void> | undefined

  const recoverSilent = async (silent: { readonly deadAfterMs: number; readonly by?: string }): Promise<void> => {
    const remindBelow = options.remindBelow?.()
    await engine.recover({ ...silent, dead: [], ...(remindBelow !== undefined && { remindBelow }) })
  }
  const beside = { deadAfterMs: DEAD_AFTER_MS, by: replica }
  const heartbeat = async (): Promise<void> => {
    if (dead || (await engine.heartbeat(replica)) || dead) return
    dead = true
    onDead()
  }
  // After a machine slept both timers are due: a replica that is awake must report before any replica checks for dead ones.
  const recover = async (): Promise<void> => {
    await heartbeat()
    if (!dead) await recoverSilent(beside)
  }
  /** One at a time; a beat is skipped while the previous one is still under way. */
  const unlessBusy = (work: () => Promise<void>) => (): void => {
    busy ??= work()
      .catch(onFailure)
      .finally(() => {
        busy = undefined
      })
  }

  await recoverSilent(options.alone ? { deadAfterMs: 0 } : beside)
  await heartbeat()
  const stops = [timers.every(HEARTBEAT_MS, unlessBusy(heartbeat)), timers.every(RECOVERY_MS, unlessBusy(recover))]
  return {
    get dead() {
      return dead
    },
    beat: async () => {
      if (busy !== undefined) return false
      const beat = heartbeat()
      busy = beat.catch(() => {}).finally(() => (busy = undefined))
      await beat
      return !dead
    },
    end: async () => {
      for (const stop of stops) stop()
      const left = (async () => {
        await busy
        await engine.leave(replica)
      })().catch(onFailure)
      await new Promise<void>((resolve) => {
        const stop = timers.after(LEAVE_MS, resolve)
        void left.then(() => {
          stop()
          resolve()
        })
      })
    },
  }
}
