import type { TokenCounts, UnitCounts } from '../token-counts.ts'

/** Larger counts are not believed: no model reads or writes two billion tokens in one call. */
const COUNT_LIMIT = 2 ** 31 - 1

/** A believable count, or undefined. Fractions, which some vendors' estimates have, are rounded up. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= COUNT_LIMIT ? Math.ceil(value) : undefined
}

/** The first believable count above zero, or 0. */
export function firstPositive(...candidates: readonly unknown[]): number {
  for (const candidate of candidates) {
    const value = count(candidate)
    if (value !== undefined && value > 0) return value
  }
  return 0
}

/** Seconds, as a number or decimal text, converted to whole milliseconds and rounded up; 0 if not believable. */
export function milliseconds(seconds: unknown): number {
  const value = typeof seconds === 'string' && seconds !== '' ? Number(seconds) : seconds
  return typeof value === 'number' ? (count(Math.ceil(value * 1_000)) ?? 0) : 0
}

/** Subtracts the parts in the given order, but never more than is left, whatever the vendor reports. `rest` is the remainder. */
export function divide<Part extends string>(
  whole: number,
  parts: Readonly<Record<Part, number>>,
): Readonly<Record<Part | 'rest', number>> {
  const taken: Record<string, number> = {}
  let rest = whole
  for (const name of Object.keys(parts) as Part[]) {
    const part = Math.min(parts[name], rest)
    taken[name] = part
    rest -= part
  }
  return { ...taken, rest } as Record<Part | 'rest', number>
}

export function nonZero(details: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(details).filter(([, tokens]) => tokens > 0))
}

/** Missing classes are zero, and units of zero are left out; undefined if everything is zero. */
export function tokenCounts(classes: Partial<TokenCounts>): TokenCounts | undefined {
  const { input = 0, cachedInput = 0, cacheWrite5m = 0, cacheWrite1h = 0, output = 0, reasoning = 0 } = classes
  const counts = { input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning }
  const units = usedUnits(classes.units)
  if (units !== undefined) return { ...counts, units }
  return input + cachedInput + cacheWrite5m + cacheWrite1h + output + reasoning > 0 ? counts : undefined
}

function usedUnits(units: UnitCounts | undefined): UnitCounts | undefined {
  if (units === undefined) return undefined
  const used: { -readonly [Class in keyof UnitCounts]: UnitCounts[Class] } = {}
  for (const name of Object.keys(units) as (keyof UnitCounts)[]) {
    const value = units[name] ?? 0
    if (value > 0) used[name] = value
  }
  return Object.keys(used).length === 0 ? undefined : used
}
