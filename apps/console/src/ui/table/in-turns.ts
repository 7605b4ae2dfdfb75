/** Number of rows processed at the same time: enough to be quick, few enough to leave the gateway to others. */
const AT_ONCE = 4

/** Progress of an action on many rows. */
export interface Tally {
  readonly done: number
  readonly failed: number
}

/** Runs `act` on every row, a few at a time, and reports the count after each. A failure (`act` returns false) stops no other. */
export async function inTurns<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<boolean>,
  onTally: (tally: Tally) => void,
): Promise<Tally> {
  let tally: Tally = { done: 0, failed: 0 }
  const waiting = rows.values()
  const worker = async () => {
    for (const row of waiting) {
      const well = await act(row)
      tally = well ? { ...tally, done: tally.done + 1 } : { ...tally, failed: tally.failed + 1 }
      onTally(tally)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return tally
}
