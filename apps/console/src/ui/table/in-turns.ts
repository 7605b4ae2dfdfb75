/** Rows that are worked on at the same time: enough to be quick, few enough to leave the gateway to others. */
const AT_ONCE = 4

/** How far a piece of work over many rows has come. */
export interface Tally {
  readonly done: number
  readonly failed: number
}

/**
 * Does the same to every row, a few at a time, and tells the count after each. `act` answers whether it went well; a failure
 * does not stop the others.
 */
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
