import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import { systemTimers } from '@sluice/ledger/timers'
import type { RunningCall } from '@sluice/observe/running-call'
import type { CalledLane } from '@sluice/routing/called-lane'
import { SNAPSHOTS } from '@sluice/store/snapshots/versions'
import type { Log } from '../logger.ts'
import type { AnnouncedHealth } from './announced-health.ts'
import { type Link, openLink } from './link.ts'
import { createMainServices, type MainServicesDeps } from './main-services.ts'
import type { RelayThreadStart, SharedState, ThreadServices } from './open-relay-thread.ts'

export interface RelayThreadsDeps extends Omit<MainServicesDeps, 'onLoad'> {
  readonly count: number
  readonly start: Omit<RelayThreadStart, 'state'>
  readonly state: () => SharedState
  readonly versions: Pick<VersionWatch, 'onChange'>
  readonly health: AnnouncedHealth
  /** Unix milliseconds. */
  readonly now: () => number
  /** A thread has ended, which is a bug: the process must end too. */
  readonly onFatal: () => void
  readonly log: Log
}

/** Threads that relay, all on one port. */
export interface RelayThreads {
  listen(port: number, host: string): Promise<AddressInfo>
  /** Requests under way and waiting in all threads, as of a second ago. */
  readonly running: number
  readonly waiting: number
  /** The calls that run in all threads: those of this user, or of all; of each thread at most `most`. */
  listRunning(userId: number | undefined, most: number): Promise<readonly RunningCall[]>
  /** Ends a call in whichever thread has it; false when none has. */
  stopRunning(id: string, userId: number | undefined): Promise<boolean>
  /** True from the first call of `close` on. */
  readonly isClosing: boolean
  /** Lets running answers finish, as `Edge.close` does, and ends the threads. Returns how many answers were cut off. May be repeated. */
  close(timeoutMs: number, delayMs: number): Promise<number>
}

interface RelayThread {
  readonly worker: Worker
  readonly link: Link<ThreadServices>
  running: number
  waiting: number
}

/** How often the threads are told what has changed. */
const SHARE_MS = 100

export function startRelayThreads(deps: RelayThreadsDeps): RelayThreads {
  const { count, health, versions, log } = deps
  let state = deps.state()
  let closing: Promise<number> | undefined
  const threads = Array.from({ length: count }, () => startThread())

  function startThread(): RelayThread {
    const worker = new Worker(new URL('./relay-thread.ts', import.meta.url), {
      name: 'sluice-relay',
      workerData: { ...deps.start, state } satisfies RelayThreadStart,
    })
    const services = createMainServices({
      ...deps,
      reports: { ...deps.reports, onCalled: (call) => onCalled(call, thread) },
      onHeard: (heard) => {
        deps.onHeard(heard)
        tellOthers(thread, (link) => link.tell('hear', heard))
      },
      onLoad: (running, waiting) => Object.assign(thread, { running, waiting }),
    })
    const onError = (error: unknown): void => log.error({ error }, 'a message of a relay thread failed unexpectedly')
    const thread = { worker, link: openLink<ThreadServices>(worker, services, onError), running: 0, waiting: 0 }
    worker.on('error', (error) => log.error({ error }, 'a relay thread failed unexpectedly'))
    worker.on('exit', () => {
      thread.link.cut()
      if (closing === undefined) deps.onFatal()
    })
    return thread
  }

  /** The main thread's view of the lanes includes every call, and what one thread learned at its expense all others know. */
  function onCalled(call: CalledLane, by: RelayThread): void {
    deps.reports.onCalled(call)
    const begun = health.begin(call, call.started)
    if (call.firstByteMs !== undefined) begun.answered(call.firstByteMs, call.started + call.firstByteMs)
    begun.end(call.cause, call.started + call.elapsedMs)
    const { cooldown } = call
    if (cooldown === undefined || cooldown.isGuess === true) return
    const cooldownMs = cooldown.until - deps.now()
    tellOthers(by, (link) => link.tell('adopt', cooldown, cooldownMs))
  }

  function tellOthers(by: RelayThread, tell: (link: Link<ThreadServices>) => void): void {
    for (const each of threads) if (each !== by) tell(each.link)
  }

  const everywhere = <Result>(call: (link: Link<ThreadServices>) => Promise<Result>): Promise<Result[]> =>
    Promise.all(threads.map(({ link }) => call(link)))

  for (const name of SNAPSHOTS) {
    versions.onChange(name, async () => void (await everywhere((link) => link.call('changed', name))))
  }
  health.listeners.add({
    adopt: (cooldown, cooldownMs) => threads.forEach(({ link }) => link.tell('adopt', cooldown, cooldownMs)),
    forget: (channel) => threads.forEach(({ link }) => link.tell('forget', channel)),
  })
  const stopSharing = systemTimers.every(SHARE_MS, () => {
    const next = deps.state()
    if (isSame(state, next)) return
    state = next
    for (const { link } of threads) link.tell('share', state)
  })

  return {
    listen: async (port, host) => {
      await refuseTaken(port, host)
      const [first, ...others] = threads
      if (first === undefined) throw new Error('there is no relay thread')
      const address = await first.link.call('listen', port, host)
      await Promise.all(others.map(({ link }) => link.call('listen', address.port, host)))
      return address
    },
    get running() {
      return threads.reduce((sum, { running }) => sum + running, 0)
    },
    get waiting() {
      return threads.reduce((sum, { waiting }) => sum + waiting, 0)
    },
    listRunning: async (userId, most) => (await everywhere((link) => link.call('listRunning', userId, most))).flat(),
    stopRunning: async (id, userId) =>
      (await everywhere((link) => link.call('stopRunning', id, userId))).includes(true),
    get isClosing() {
      return closing !== undefined
    },
    close: (timeoutMs, delayMs) => (closing ??= close(timeoutMs, delayMs)),
  }

  async function close(timeoutMs: number, delayMs: number): Promise<number> {
    // One that has ended, or could not begin, has nothing to close.
    const cut = await everywhere((link) => link.call('close', timeoutMs, delayMs).catch(() => 0))
    stopSharing()
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
    return cut.reduce((sum, each) => sum + each, 0)
  }
}

function isSame(a: SharedState, b: SharedState): boolean {
  return (Object.keys(a) as (keyof SharedState)[]).every((key) => a[key] === b[key])
}

/** Sockets that share a port would also share it with another program of the same user. Rejects as `listen` does. */
async function refuseTaken(port: number, host: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
