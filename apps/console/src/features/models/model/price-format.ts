import { UNKNOWN } from '~/lib/format/unknown.ts'

/** Dollars as the specification writes prices; `undefined` for 0, which is free. */
export function formatPrice(dollars: number): string | undefined {
  if (dollars === 0) return undefined
  if (Number.isNaN(dollars)) return UNKNOWN
  return `$${dollars.toFixed(dollars < 0.001 ? 6 : dollars < 1 ? 4 : 2)}`
}

/** 4096 as 4.1K, 128000 as 128K, 1048576 as 1M; `undefined` for 0, which is unlimited. */
export function formatTokens(tokens: number): string | undefined {
  if (tokens === 0) return undefined
  // From here on K would round up to a thousand of them.
  if (tokens >= 999_950) return `${shortened(tokens / 1_000_000)}M`
  return tokens >= 1_000 ? `${shortened(tokens / 1_000)}K` : String(tokens)
}

/** At most one decimal, and no trailing zero. */
function shortened(value: number): string {
  return String(Math.round(value * 10) / 10)
}
