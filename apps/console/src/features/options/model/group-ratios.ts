/** A group whose ratio changes; `undefined` where it is missing. */
export interface RatioChange {
  readonly group: string
  readonly from: string | undefined
  readonly to: string | undefined
}

/** The differences between two JSON maps of group ratios. Neither has to be well-formed. */
export function ratioChanges(before: string, after: string): readonly RatioChange[] {
  const [old, next] = [ratiosOf(before), ratiosOf(after)]
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((group) => ({ group, from: old.get(group), to: next.get(group) }))
    .filter(({ from, to }) => from !== to)
}

function ratiosOf(text: string): ReadonlyMap<string, string> {
  try {
    const parsed: unknown = JSON.parse(text)
    return new Map(Object.entries(parsed ?? {}).map(([group, ratio]) => [group, String(ratio)]))
  } catch {
    return new Map()
  }
}
