import { availableParallelism, totalmem } from 'node:os'
import type { Vault } from '@sluice/store/vault'
import type { Config } from '../environment/environment.ts'
import { VARIABLES } from '../environment/variables.ts'
import { VERSION } from '../process/identity.ts'
import type { FittingCapacity } from '../process/open-files.ts'
import type { ReplicaFacts } from './replica-facts.ts'

/** Variables that affect how a user's request is served, so they must be the same on all replicas. None is a secret. */
const ALIKE = [
  'trustedProxies',
  'bodyLimit',
  'answerLimit',
  'bodyTimeoutMs',
  'connectTimeoutMs',
  'firstByteTimeoutMs',
  'idleTimeoutMs',
  'readOnMs',
  'retryDeadlineMs',
  'upstreamPrivate',
  'smtpCertificate',
  'relayRateLimit',
  'ledgerCheckHour',
] as const satisfies readonly (keyof Config)[]

/** A secret that replicas must share is compared by a digest keyed with the master key. */
const SHARED_SECRET = 'valkeyUrl'

export interface OwnFactsParts {
  readonly config: Config
  readonly vault: Pick<Vault, 'keyIds' | 'digests'>
  /** Infinite when unknown. */
  readonly fileLimit: number
  readonly places: FittingCapacity
  readonly aheadMs: () => number
  readonly steppedMs: () => number
  readonly uncharged: () => number
}

/** Reports facts about this process; changing ones are read at each call. */
export function createOwnFacts(parts: OwnFactsParts): () => ReplicaFacts {
  const { config, vault, fileLimit, places } = parts
  const settings = Object.fromEntries(
    ALIKE.map((key) => [VARIABLES[key].name, JSON.stringify(config[key] ?? null)] as const),
  )
  settings[VARIABLES[SHARED_SECRET].name] =
    config[SHARED_SECRET] === '' ? '' : vault.digests('option', config[SHARED_SECRET])[0].slice(0, 16)
  return () => ({
    version: VERSION,
    keyIds: [...vault.keyIds],
    settings,
    aheadMs: parts.aheadMs(),
    steppedMs: parts.steppedMs(),
    fileLimit: Number.isFinite(fileLimit) ? fileLimit : 0,
    requests: { wanted: config.maxRequests, admitted: places.requests, enoughFiles: places.enough },
    memoryLimit: memoryLimitOf(process.constrainedMemory(), totalmem()),
    bodyMemory: config.bodyMemory + config.answerMemory,
    cores: availableParallelism(),
    uncharged: parts.uncharged(),
  })
}

/** A limit beyond the machine's memory does not count as one. */
export function memoryLimitOf(constrained: number, total: number): number {
  return constrained > 0 && constrained < total ? constrained : 0
}

/** Smaller steps are routine corrections by a time service. */
const NOTICED_MS = 2_000

/**
 * Notices when this machine's clock is set: it then moves differently from a monotonic clock. The returned function gives the
 * largest step so far in ms, negative if set back; call it at least twice. `own` in unix ms, `steady` in ms.
 */
export function createClockSteps(own: () => number, steady: () => number): () => number {
  let apart = own() - steady()
  let largest = 0
  return () => {
    const next = own() - steady()
    const step = Math.round(next - apart)
    apart = next
    if (Math.abs(step) >= NOTICED_MS && Math.abs(step) > Math.abs(largest)) largest = step
    return largest
  }
}
