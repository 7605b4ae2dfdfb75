import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseTarget } from '@sluice/store/database-target'
import { StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { createLog } from '../process/logger.ts'
import { type GatewayProcess, GatewayProcesses, type ReadyGateway } from './gateway-processes.ts'
import { openInBrowser } from './open-in-browser.ts'
import { farewell } from './serve.ts'

/**
 * Runs several gateways on one port until asked to stop; returns the exit code. This process holds the port open, so that no
 * waiting connection is lost while gateways, which end with it, start and stop.
 */
export async function serveProcesses(config: Config, isOpened: boolean): Promise<number> {
  if ('sqliteFile' in databaseTarget(config.databaseUrl, config.dataDir)) {
    throw new StartProblem(
      `SLUICE_PROCESSES=${config.processes} needs PostgreSQL (DATABASE_URL): a SQLite file belongs to one process.`,
    )
  }
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ args: ['serve'] })
  const processes = new GatewayProcesses({
    count: config.processes,
    start: () => watched(cluster.fork()),
    now: () => performance.now(),
    pause: (ms) => delay(ms, undefined, { ref: false }),
    log: createLog(config.logLevel),
  })
  const { promise: stopped, resolve: stop } = Promise.withResolvers<number>()
  let isAsked = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isAsked) return processes.insist()
      isAsked = true
      console.log(farewell(signal, config))
      stop(processes.stop())
    })
  }
  const opened = await processes.open()
  if (typeof opened === 'number') return opened
  process.on('SIGHUP', () => void processes.restart())
  console.log(opened.greeting)
  const page = isOpened ? await openInBrowser(opened.page, config.dataDir, (line) => console.error(line)) : undefined
  const code = await stopped
  await page?.close()
  return code
}

function watched(worker: Worker): GatewayProcess {
  const ended = new Promise<number>((resolve) => {
    worker.once('error', () => resolve(1))
    worker.once('exit', (code) => resolve(code ?? 1))
  })
  const ready = new Promise<ReadyGateway>((resolve) => {
    worker.once('message', (message: ReadyGateway) => resolve(message))
  })
  return {
    pid: worker.process.pid ?? 0,
    ready: Promise.race([ready, ended.then(() => undefined)]),
    ended,
    stop: () => void worker.process.kill('SIGTERM'),
  }
}
