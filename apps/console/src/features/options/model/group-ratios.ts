/** A group whose ratio changes; `undefined` where it is missing. */
export interface RatioChange {
  readonly group: string
  readonly from: string | undefined
  readonly to: string | undefined
}

/**
 * The differences between two JSON maps of groups, to their ratios or to all that is set for them; what a group charges the users of
 * another is named by both. Neither map has to be well-formed.
 */
export function ratioChanges(before: string, after: string): readonly RatioChange[] {
  const [old, next] = [ratiosOf(before), ratiosOf(after)]
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((group) => ({ group, from: old.get(group), to: next.get(group) }))
    .filter(({ from, to }) => from !== to)
}

function ratiosOf(text: string): ReadonlyMap<string, string> {
  try {
    const parsed: unknown = JSON.parse(text)
    return new Map(Object.entries(parsed ?? {}).flatMap(([group, value]) => [...ratiosOfGroup(group, value)]))
  } catch {
    return new Map()
  }
}

function* ratiosOfGroup(group: string, value: unknown): Iterable<readonly [string, string]> {
  if (typeof value !== 'object' || value === null) return yield [group, String(value)]
  const { ratio = 1, ratio_for: others = {} } = value as { readonly ratio?: unknown; readonly ratio_for?: object }
  yield [group, String(ratio)]
  for (const [user, theirs] of Object.entries(others ?? {})) yield [`${group} (${user})`, String(theirs)]
}
