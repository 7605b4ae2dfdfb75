import { randomBytes } from 'node:crypto'
import type { Config } from './environment/environment.ts'
import { isLoopback } from './management/sessions/local-sign-in.ts'
import type { RootAccount } from './management/sessions/root-account.ts'
import { createSignInLink, LINK_LIFETIME_MS } from './management/sessions/sign-in-link.ts'
import type { Log } from './process/logger.ts'
import { finishedCharge } from './relay/record/finished.ts'
import { type Front, listen } from './start/listen.ts'
import { openData, type Start } from './start/open-data.ts'
import { openDoctor } from './start/open-doctor.ts'
import { openRunningCalls } from './start/open-running-calls.ts'
import { openTraffic, type Traffic } from './start/open-traffic.ts'
import { openUpkeep, type Upkeep } from './start/open-upkeep.ts'

export interface Gateway extends Pick<Front, 'address' | 'hasConsole'> {
  readonly root: RootAccount
  /** The link that signs root in once; undefined when root has a password, or when other machines can connect. */
  readonly signInLink: { readonly token: string; readonly lifetimeMs: number } | undefined
  /** Lets running answers finish, settles everything, and closes all resources. */
  close(): Promise<void>
}

/**
 * Opens the gateway in five stages, each on top of the earlier ones. `consoleDirectory`: the built console. `onFatal` is called
 * when the process must end: other replicas have declared it dead, or the files of its database were replaced.
 */
export async function startGateway(
  config: Config,
  log: Log,
  consoleDirectory: string,
  onFatal: () => void,
): Promise<Gateway> {
  // Closed in the reverse order, whether the start fails or the gateway is stopped later.
  await using opening = new AsyncDisposableStack()
  const start: Start = { config, log, opening, onFatal }
  const data = await openData(start, (settlement) => upkeep.telemetry.onCharged?.(finishedCharge(settlement)))
  const upkeep: Upkeep = await openUpkeep(start, data, {
    openRequests: () => traffic.relay.slots.running,
    waitingRequests: () => traffic.relay.slots.waiting,
    isDraining: () => front.edge.exchanges.draining,
  })
  const traffic: Traffic = await openTraffic(start, data, upkeep)
  const doctor = await openDoctor(start, data, upkeep)
  const runningCalls = openRunningCalls(start, data, traffic)
  const signInLink = createSignInLink({ randomBytes, now: () => performance.now() })
  const front: Front = await listen(start, data, upkeep, traffic, {
    runningCalls,
    doctor,
    consoleDirectory,
    signInLink,
  })
  const { address, hasConsole } = front
  // Only the process that issued a link can recognise it.
  const isOffered = data.root.password === 'none' && isLoopback(address.address) && config.processes === 1
  const opened = opening.move()
  return {
    address,
    root: data.root,
    signInLink: isOffered ? { token: signInLink.issue(), lifetimeMs: LINK_LIFETIME_MS } : undefined,
    hasConsole,
    close: () => opened.disposeAsync(),
  }
}
