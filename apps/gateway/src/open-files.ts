/** The database and its threads, the listening socket, console files, mail, look-ups of names; 40 were open at rest. */
const RESERVED_FILES = 96
/** Of a request: its client, its provider, a kept connection to another provider, and a client that waits for its place. */
const FILES_PER_REQUEST = 4

/**
 * Files that this process may have open at most; Node has raised its own limit as far as it may. Infinite when unknown. To be called
 * before there are connections: a report names them.
 */
export function openFileLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

/** What fits under a limit of open files, so that requests under way never meet it. */
export interface FittingPlaces {
  /** Requests under way at the same time, at most `wanted`; as many more may wait. */
  readonly requests: number
  /** Connections of clients; one more is closed as it comes. Infinite when nothing is limited. */
  readonly connections: number
  /** The limit that would be enough for `wanted`. */
  readonly enough: number
}

export function placesWithin(fileLimit: number, wanted: number): FittingPlaces {
  const enough = RESERVED_FILES + wanted * FILES_PER_REQUEST
  const requests = Math.max(1, Math.min(wanted, Math.floor((fileLimit - RESERVED_FILES) / FILES_PER_REQUEST)))
  return { requests, connections: Math.max(2, fileLimit - RESERVED_FILES - 2 * requests), enough }
}
