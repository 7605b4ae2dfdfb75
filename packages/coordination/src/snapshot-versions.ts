import type { SnapshotName, SnapshotVersions } from '@sluice/store/snapshots/versions'

/**
 * Notifies caches when their rows have changed. Changes by any replica are found by reading the version counters every `pollMs`;
 * code that changes something here calls `check` after the commit, and sees fresh rows once that resolves.
 */
export interface VersionWatch {
  /** Calls `reload` for a new version of the group, at each poll until it succeeds. Returns a function that unsubscribes. */
  onChange(name: SnapshotName, reload: () => Promise<void>): () => void
  /** Polls now and waits for the reloads. Rejects when the versions could not be read. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface VersionWatchOptions {
  /** Reads the counters; see `readVersions` of the store. */
  readonly read: () => Promise<SnapshotVersions>
  /** Versions of the rows that were loaded before the watch began. */
  readonly known: SnapshotVersions
  /** 2,000 ms by default. Each wait is up to a fifth shorter or longer, so that replicas do not poll in step. */
  readonly pollMs?: number
  /** 0 to 1, for the spread. */
  readonly random: () => number
  /** A poll or reload failed; the next poll tries again. */
  readonly onError: (error: unknown) => void
}

interface Subscription {
  readonly name: SnapshotName
  readonly reload: () => Promise<void>
  /** Version of the rows that the last successful reload saw. */
  seen: number
}

const POLL_MS = 2_000
const SPREAD = 0.2

export function openVersionWatch({
  read,
  known,
  pollMs = POLL_MS,
  random,
  onError,
}: VersionWatchOptions): VersionWatch {
  const subscriptions = new Set<Subscription>()
  let latest = known
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  /** A poll that has not begun; all callers until then share it. */
  let queued: Promise<void> | undefined
  let closed = false

  const look = async (): Promise<void> => {
    latest = await read()
    await Promise.all([...subscriptions].map((subscription) => renew(subscription, latest[subscription.name], onError)))
  }

  /** A poll in progress might have read before the caller's commit, so the caller waits for the next one. */
  const check = (): Promise<void> => {
    if (closed) return running
    queued ??= running
      .catch(() => {})
      .then(() => {
        queued = undefined
        running = look()
        return running
      })
    return queued
  }

  const schedule = (): void => {
    const delay = pollMs * (1 - SPREAD + 2 * SPREAD * random())
    timer = setTimeout(() => {
      void check()
        .catch(onError)
        .then(() => {
          if (!closed) schedule()
        })
    }, delay)
    timer.unref()
  }

  schedule()
  return {
    onChange: (name, reload) => {
      const subscription: Subscription = { name, reload, seen: latest[name] }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    check,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await (queued ?? running).catch(() => {})
    },
  }
}

async function renew(subscription: Subscription, version: number, onError: (error: unknown) => void): Promise<void> {
  if (subscription.seen === version) return
  try {
    await subscription.reload()
    subscription.seen = version
  } catch (error) {
    onError(error)
  }
}
