import { kindOf } from '../kinds/all.ts'

/** Types that do not use the column keep what is written there. */
const ANY = { accepts: /^\P{Cc}*$/u, rule: 'may not hold control characters' }

/** The text to store: trimmed, an empty one replaced where the type has a default. */
export function storedOther(code: number, other: string): string {
  return other.trim() || (kindOf(code)?.other?.fallback ?? '')
}

export function otherProblem(code: number, other: string): string | undefined {
  const { accepts, rule } = kindOf(code)?.other ?? ANY
  return other === '' || accepts.test(other) ? undefined : rule
}
