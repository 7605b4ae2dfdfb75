/** Smaller steps are corrections that a time service makes all the time. */
const NOTICED_MS = 2_000

/**
 * Notices when this machine's clock is set while the process runs: it then moves differently from a monotonic clock. Returns the
 * largest step so far in ms, below 0 when it was set back; call it at least twice. `own` in unix ms, `steady` in ms.
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
