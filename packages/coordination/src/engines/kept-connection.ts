/** The part of `@redis/client` that we need. */
export interface ValkeyClient {
  connect(): Promise<unknown>
  /** Ends at once; commands in progress reject. */
  destroy(): void
  sendCommand(args: readonly string[]): Promise<unknown>
  subscribe(channel: string, listener: (text: string) => void): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** A connection that reconnects automatically, and is dropped as soon as it is in doubt. */
export interface KeptConnection {
  readonly client: ValkeyClient | undefined
  /** Call this when the connection is in doubt: its pending work rejects, and a new connection is opened after a pause. */
  drop(client: ValkeyClient, reason: string): void
  close(): Promise<void>
}

export interface KeptConnectionOptions {
  /** Returns a new client each time, which must not reconnect automatically. */
  readonly create: () => ValkeyClient
  /** Prepares a connection for use, within the time limit for connecting. */
  readonly prepare: (client: ValkeyClient) => Promise<unknown>
  /** 0 to 1, so that replicas do not reconnect in step. */
  readonly random: () => number
  readonly onUp: () => void
  /** Called once per outage, with the reason. */
  readonly onDown: (reason: string) => void
}

/** Time to connect, sign in and prepare. */
const OPEN_MS = 2_000
const PING_MS = 5_000
const SILENCE_MS = 2_000
const PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
/** After a connection that lasted this long, the next pause is short. */
const GOOD_AFTER_MS = 10_000

/** Starts to connect and returns at once, so that nothing waits for an unreachable server. */
export function openKeptConnection({ create, prepare, random, onUp, onDown }: KeptConnectionOptions): KeptConnection {
  const closing = new AbortController()
  let current: ValkeyClient | undefined
  let giveUp: (reason: string) => void = () => {}
  let isDownReported = false

  const down = (reason: string): void => {
    current = undefined
    if (isDownReported || closing.signal.aborted) return
    isDownReported = true
    onDown(reason)
  }

  /** Resolves when the connection has ended; true if it lasted. */
  const live = async (): Promise<boolean> => {
    const client = create()
    const over = new AbortController()
    giveUp = (reason) => over.abort(reason)
    client.on('error', (error) => over.abort(reasonOf(error)))
    const onClosing = (): void => over.abort('closed')
    closing.signal.addEventListener('abort', onClosing)
    const problem = await within(
      OPEN_MS,
      over.signal,
      client.connect().then(() => prepare(client)),
    )
    let isGood = false
    if (problem !== undefined) {
      down(problem)
    } else {
      current = client
      isDownReported = false
      onUp()
      const good = setTimeout(() => {
        isGood = true
      }, GOOD_AFTER_MS)
      down(await untilSilent(client, over.signal))
      clearTimeout(good)
    }
    closing.signal.removeEventListener('abort', onClosing)
    client.destroy()
    return isGood
  }

  const run = async (): Promise<void> => {
    let pause = PAUSE_MS
    while (!closing.signal.aborted) {
      pause = (await live()) ? PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS)
      await sleep(pause * (1 + random()), closing.signal)
    }
  }
  const running = run()

  return {
    get client() {
      return current
    },
    drop: (client, reason) => {
      if (client !== current) return
      // Before anything else, so that the next caller does not get this connection.
      down(reason)
      giveUp(reason)
    },
    close: async () => {
      closing.abort()
      await running
    },
  }
}

/** The reason in words, in which the library puts no passwords. A host name with several IP addresses fails with only a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'refused'
  return error.message !== '' || !('code' in error) ? error.message : String(error.code)
}

/** Undefined when the work was done in time; otherwise the problem. */
function within(ms: number, over: AbortSignal, work: Promise<unknown>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (problem: string | undefined): void => {
      clearTimeout(timer)
      over.removeEventListener('abort', onOver)
      resolve(problem)
    }
    const onOver = (): void => end(String(over.reason))
    const timer = setTimeout(end, ms, `no answer within ${ms} ms`)
    over.addEventListener('abort', onOver)
    if (over.aborted) onOver()
    work.then(
      () => end(undefined),
      (error: unknown) => end(reasonOf(error)),
    )
  })
}

/**
 * Checks periodically that the server responds; resolves with the reason when the connection has ended. Each check cleans up after
 * itself, because a connection can last for months.
 */
async function untilSilent(client: ValkeyClient, over: AbortSignal): Promise<string> {
  for (;;) {
    await sleep(PING_MS, over)
    if (over.aborted) return String(over.reason)
    const problem = await within(SILENCE_MS, over, client.sendCommand(['PING']))
    if (problem !== undefined) return problem
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms).unref()
    signal.addEventListener('abort', end)
  })
}
