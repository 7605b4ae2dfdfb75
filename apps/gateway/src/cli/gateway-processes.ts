import type { Log } from '../process/logger.ts'

export interface ReadyGateway {
  /** The text that a single gateway prints when it is ready. */
  readonly greeting: string
  /** Address of the console, with root's sign-in token if there is one. */
  readonly page: string
}

export interface GatewayProcess {
  readonly pid: number
  /** Undefined when it ended before it was ready. */
  readonly ready: Promise<ReadyGateway | undefined>
  /** Its exit code; 1 when a signal ended it. */
  readonly ended: Promise<number>
  /** Asks the gateway to finish its running answers and end. */
  readonly stop: () => void
}

export interface GatewayProcessesDeps {
  readonly count: number
  readonly start: () => GatewayProcess
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  readonly log: Pick<Log, 'info' | 'error'>
}

/** How long a place stays empty after its process ended: doubled after each process that ended early, up to a limit. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A process that ran for this long did not end early. */
const LIVED_MS = 60_000

/** Gateways on one port. Restarts a gateway that ends without being asked. */
export class GatewayProcesses {
  readonly #deps: GatewayProcessesDeps
  readonly #places: GatewayProcess[] = []
  /** Processes that have not ended: those in their places, and those starting or stopping during a restart. */
  readonly #running = new Set<GatewayProcess>()
  readonly #asked = new WeakSet<GatewayProcess>()
  #stopping: Promise<number> | undefined
  #restarting: Promise<void> | undefined

  constructor(deps: GatewayProcessesDeps) {
    this.#deps = deps
  }

  /** Starts the first gateway, which migrates the database, then the others. Returns the exit code if one fails; then none runs. */
  async open(): Promise<ReadyGateway | number> {
    const first = this.#fill(0)
    const ready = await first.ready
    if (ready === undefined) return await this.#giveUp(first)
    if (this.#isStopping) return await this.stop()
    const others = Array.from({ length: this.#deps.count - 1 }, (_, at) => this.#fill(at + 1))
    for (const each of others) if ((await each.ready) === undefined) return await this.#giveUp(each)
    if (this.#isStopping) return await this.stop()
    for (const at of this.#places.keys()) void this.#keep(at)
    return ready
  }

  /** Restarts one gateway after the other, each ready before its predecessor is asked to end. Stops if a new one does not start. */
  restart(): Promise<void> {
    this.#restarting ??= this.#restartAll().finally(() => {
      this.#restarting = undefined
    })
    return this.#restarting
  }

  /** Asks each gateway once to end, and waits for all. Returns the exit code of one that failed, or 0. May be called again. */
  stop(): Promise<number> {
    this.#stopping ??= this.#stopAll()
    return this.#stopping
  }

  /** Asks all gateways a second time, which ends them at once. */
  insist(): void {
    for (const each of this.#running) each.stop()
  }

  get #isStopping(): boolean {
    return this.#stopping !== undefined
  }

  async #stopAll(): Promise<number> {
    const running = [...this.#running]
    for (const each of running) this.#ask(each)
    const codes = await Promise.all(running.map(({ ended }) => ended))
    return codes.find((code) => code !== 0) ?? 0
  }

  /** Asks only once: a second request would end the process at once. */
  #ask(process: GatewayProcess): void {
    if (this.#asked.has(process)) return
    this.#asked.add(process)
    process.stop()
  }

  #start(): GatewayProcess {
    const started = this.#deps.start()
    this.#running.add(started)
    void started.ended.then(() => this.#running.delete(started))
    return started
  }

  #fill(at: number): GatewayProcess {
    const started = this.#start()
    this.#places[at] = started
    return started
  }

  async #giveUp(failed: GatewayProcess): Promise<number> {
    const code = await failed.ended
    await this.stop()
    return code
  }

  async #keep(at: number): Promise<void> {
    const { now, pause, log } = this.#deps
    let pauseMs = 0
    while (!this.#isStopping) {
      const process = this.#places[at]
      if (process === undefined) return
      const started = now()
      const code = await process.ended
      if (this.#isStopping) return
      // It ended on request: another process has its place.
      if (this.#places[at] !== process) continue
      log.error({ pid: process.pid, code }, 'a gateway process ended unexpectedly and is being replaced')
      pauseMs = now() - started >= LIVED_MS ? FIRST_PAUSE_MS : Math.min(2 * pauseMs || FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
      await pause(pauseMs)
      if (this.#isStopping || this.#places[at] !== process) continue
      this.#fill(at)
    }
  }

  async #restartAll(): Promise<void> {
    const { log } = this.#deps
    for (const at of this.#places.keys()) {
      if (this.#isStopping) return
      const next = this.#start()
      const isReady = (await next.ready) !== undefined
      const before = this.#places[at]
      if (!isReady || this.#isStopping || before === undefined) {
        this.#ask(next)
        if (!isReady) log.error({ pid: next.pid }, 'a gateway process did not start; the running ones continue')
        return
      }
      this.#places[at] = next
      this.#ask(before)
      await before.ended
      log.info({ pid: before.pid, next: next.pid }, 'a gateway process was replaced')
    }
  }
}
