import type { DroppedBy } from '../edge/client-connections.ts'
import type { Log } from './logger.ts'

/** For the database and its threads, the listening socket, console files, mail and name look-ups; 40 were open when idle. */
const RESERVED_FILES = 96
/** Per request: its client, its provider, an idle connection to another provider, and a client that waits for its turn. */
const FILES_PER_REQUEST = 4

/** Infinite when unknown. Call it before there are connections: a report lists them. Node has already raised its own limit. */
export function openFileLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

/** The capacity under a limit of open files, so that running requests never reach it. */
export interface FittingCapacity {
  /** Requests in progress at the same time, at most `wanted`; the same number can wait. */
  readonly requests: number
  /** Connections of clients; one more is closed as it arrives. Infinite without a limit. */
  readonly connections: number
  /** The limit that would be enough for `wanted`. */
  readonly enough: number
}

export function placesWithin(fileLimit: number, wanted: number): FittingCapacity {
  const enough = RESERVED_FILES + wanted * FILES_PER_REQUEST
  const requests = Math.max(1, Math.min(wanted, Math.floor((fileLimit - RESERVED_FILES) / FILES_PER_REQUEST)))
  return { requests, connections: Math.max(2, fileLimit - RESERVED_FILES - 2 * requests), enough }
}

/** Reports connections closed before a request arrived on them, as the edge counts them. */
export function reportDropped(log: Pick<Log, 'error'>, fileLimit: number): (count: number, by: DroppedBy) => void {
  return (count, by) =>
    log.error(
      { count, limit: fileLimit },
      by === 'all'
        ? 'connections were closed before a request arrived, because too many files are open (EMFILE)'
        : 'connections were closed before a request arrived, because one network has reached its limit; if it is a proxy, ' +
            'add it to SLUICE_TRUSTED_PROXIES',
    )
}
