/** Pseudo-random numbers that are the same in every run. */
export interface Random {
  /** From 0 up to, but excluding, 1. */
  unit(): number
  /** A whole number from 0 up to, but excluding, `below`. */
  below(below: number): number
  /** Half of the values are below the median; `spread` 0.5 makes a few of them several times as large. */
  around(median: number, spread: number): number
  chance(share: number): boolean
  pick<T extends { readonly weight: number }>(choices: readonly T[]): T
  hex(digits: number): string
}

/** mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(unit() * limit)
  return {
    unit,
    below,
    around: (median, spread) =>
      median * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit())),
    chance: (share) => unit() < share,
    pick: (choices) => {
      let left = unit() * choices.reduce((sum, choice) => sum + choice.weight, 0)
      const picked = choices.find((choice) => (left -= choice.weight) < 0) ?? choices.at(-1)
      if (picked === undefined) throw new RangeError('nothing to pick from')
      return picked
    },
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(''),
  }
}
