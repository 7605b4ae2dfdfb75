import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createLog, type Log } from '../logger.ts'
import { type Gateway, startGateway } from '../main.ts'
import { consoleUrl, greeting, signInUrl } from './greet.ts'
import { openInBrowser } from './open-in-browser.ts'

/** Beside the folder of the gateway, whether this is a source or a part of a bundle. */
const CONSOLE_DIRECTORY = join(import.meta.dirname, '..', '..', '..', 'console', 'dist')

export interface ServeFlags {
  /** The console is opened in the user's browser. */
  readonly open?: true
}

/** Runs the gateway until it is asked to stop; returns the exit code. */
export async function serve(config: Config, { open }: ServeFlags): Promise<number> {
  const log = createLog(config.logLevel)
  const stop = untilStopped()
  const gateway = await startGateway(config, log, CONSOLE_DIRECTORY, () => stop.fail())
  collectStart()
  console.log(greeting(gateway, config))
  const page = open
    ? await openInBrowser(signInUrl(gateway) ?? consoleUrl(gateway), config.dataDir, (line) => console.error(line))
    : undefined
  // Compiled code is cached now, because a process that is killed caches nothing.
  flushCompileCache()
  const reason = await stop.reason
  console.log(`Sluice stops (${reason}); running answers get ${config.drainTimeoutMs / 1_000} s to finish.`)
  await page?.close()
  await closeInTime(gateway, log)
  return reason === 'failure' ? 1 : 0
}

/**
 * Collects the garbage of the start and returns the memory: 15 MB that would otherwise stay, because V8 never fully collects a
 * process that is never full. It takes a tenth of a second, before the gateway says that it is ready. Node offers it only under
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

/** A second request to stop ends the wait: open holds are then recovered at the next start. */
async function closeInTime(gateway: Gateway, log: Log): Promise<void> {
  const first = performance.now()
  const impatient = new Promise<void>((resolve) => {
    const again = () => {
      if (performance.now() - first > SAME_REQUEST_MS) resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, again)
  }).then(() => {
    log.warn({}, 'asked twice to stop: exiting at once')
    process.exit(1)
  })
  await Promise.race([gateway.close(), impatient])
}
