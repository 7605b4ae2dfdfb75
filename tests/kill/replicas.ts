import { type GatewayProcess, startGateway } from '@sluice/testkit/gateway-process'
import { administer } from '@sluice/testkit/postgres-databases'

/** Gateways on one database, by number. */
export interface Replicas {
  /** Of all gateways, including those that are down. */
  urls(): readonly string[]
  /**
   * Kills these at once, and starts replacements after `before`. A replica counts as dead after a minute of silence; instead of
   * waiting for it, this declares the killed ones dead, as the others would.
   */
  kill(which: readonly number[], before?: Promise<void>): Promise<void>
  /** Pauses one at an arbitrary point, and declares it dead as the others would. The returned function resumes it. */
  pause(which: number): Promise<() => void>
  outputs(): readonly string[]
  /** Shuts one down gracefully, and starts a replacement. */
  renew(which: number): Promise<void>
  stop(): Promise<void>
}

/** `ports` are kept by replacements, so that a balancer need not learn new ones; `clocks` are ahead by this many ms. */
export async function startReplicas(
  count: number,
  options: {
    readonly dataDir: string
    readonly env: Readonly<Record<string, string>>
    readonly ports?: readonly number[]
    readonly clocks?: readonly number[]
  },
): Promise<Replicas> {
  const running: GatewayProcess[] = []
  const start = (which: number): Promise<GatewayProcess> =>
    startGateway({
      dataDir: options.dataDir,
      env: { ...options.env, ...aheadBy(options.clocks?.[which] ?? 0), PORT: String(options.ports?.[which] ?? 0) },
    })
  // The first one migrates.
  running.push(await start(0))
  running.push(...(await Promise.all(Array.from({ length: count - 1 }, (_, at) => start(at + 1)))))

  const giveUp = (pids: readonly number[]): Promise<void> =>
    administer(
      options.env['DATABASE_URL'] ?? '',
      `update replica set dead = 1 where split_part(id, ':', 2)::integer in (${pids.join(', ')})`,
    )
  const at = (which: number): GatewayProcess => {
    const replica = running[which]
    if (replica === undefined) throw new Error(`there is no replica ${which}`)
    return replica
  }

  return {
    urls: () => running.map(({ url }) => url),
    kill: async (which, before) => {
      const killed = which.map(at)
      await Promise.all(killed.map((replica) => replica.kill()))
      await before
      await giveUp(killed.map(({ pid }) => pid))
      await Promise.all(
        which.map(async (place) => {
          running[place] = await start(place)
        }),
      )
    },
    pause: async (which) => {
      const { pid } = at(which)
      process.kill(pid, 'SIGSTOP')
      await giveUp([pid])
      return () => process.kill(pid, 'SIGCONT')
    },
    outputs: () => running.map((replica) => replica.output()),
    renew: async (which) => {
      await at(which).stop()
      running[which] = await start(which)
    },
    stop: async () => {
      await Promise.all(running.map((replica) => replica.stop()))
    },
  }
}

function aheadBy(ms: number): Readonly<Record<string, string>> {
  const program = `const right = Date.now; Date.now = () => right() + ${ms}`
  return ms === 0 ? {} : { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` }
}
