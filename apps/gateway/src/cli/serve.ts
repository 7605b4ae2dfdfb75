import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Config } from '../environment/environment.ts'
import { type Gateway, startGateway } from '../main.ts'
import { createLog, type Log } from '../process/logger.ts'
import type { ReadyGateway } from './gateway-processes.ts'
import { consoleUrl, greeting, signInUrl } from './greet.ts'
import { openInBrowser } from './open-in-browser.ts'

/** The console's place beside the gateway's folder, both in the source tree and in a bundle. */
const CONSOLE_DIRECTORY = join(import.meta.dirname, '..', '..', '..', 'console', 'dist')

export interface ServeFlags {
  readonly open?: true
}

/** Runs one gateway until it is asked to stop; returns the exit code. */
export async function serve(config: Config, { open }: ServeFlags): Promise<number> {
  const log = createLog(config.logLevel)
  const stop = untilStopped()
  const gateway = await startGateway(config, log, CONSOLE_DIRECTORY, () => stop.fail())
  collectStart()
  const ready: ReadyGateway = {
    greeting: greeting(gateway, config),
    page: signInUrl(gateway, config) ?? consoleUrl(gateway, config),
  }
  // One of several gateways leaves this to its parent, see `serve-processes.ts`.
  if (cluster.isWorker) process.send?.(ready)
  else console.log(ready.greeting)
  const page = open ? await openInBrowser(ready.page, config.dataDir, (line) => console.error(line)) : undefined
  // Compiled code is cached now, because a killed process caches nothing.
  flushCompileCache()
  const reason = await stop.reason
  if (cluster.isPrimary || reason === 'failure') console.log(farewell(reason, config))
  await page?.close()
  await closeInTime(gateway, log)
  return reason === 'failure' ? 1 : 0
}

export function farewell(reason: string, { drainTimeoutMs }: Pick<Config, 'drainTimeoutMs'>): string {
  return `Sluice is stopping (${reason}); running answers get ${drainTimeoutMs / 1_000} s to finish.`
}

/**
 * Collects the garbage of the start and returns its memory: 15 MB that would otherwise stay allocated, because V8 never fully
 * collects a heap that never fills up. Takes a tenth of a second, before the gateway reports that it is ready. Requires
 * `--expose-gc`, which our launcher sets.
 */
function collectStart(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

type StopReason = 'SIGTERM' | 'SIGINT' | 'failure'

function untilStopped(): { readonly reason: Promise<StopReason>; readonly fail: () => void } {
  const { promise, resolve } = Promise.withResolvers<StopReason>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  return { reason: promise, fail: () => resolve('failure') }
}

/** A terminal, npm and the launcher can each deliver the same request to stop. */
const SAME_REQUEST_MS = 1_000

/** Waits for a clean stop. A second request to stop ends the wait; the next start then recovers open holds. */
async function closeInTime(gateway: Gateway, log: Log): Promise<void> {
  const first = performance.now()
  const impatient = new Promise<void>((resolve) => {
    const again = () => {
      if (performance.now() - first > SAME_REQUEST_MS) resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, again)
  }).then(() => {
    log.warn({}, 'asked to stop a second time: exiting at once')
    process.exit(1)
  })
  await Promise.race([gateway.close(), impatient])
}
