/** How a press in the legend changes the set of hidden series. */
export function toggled(hidden: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(hidden)
  if (!next.delete(key)) next.add(key)
  return next
}

/** Hides all but one; shows all again when only that one is visible. */
export function isolated(hidden: ReadonlySet<string>, key: string, keys: readonly string[]): ReadonlySet<string> {
  const others = keys.filter((one) => one !== key)
  const alone = !hidden.has(key) && others.every((one) => hidden.has(one))
  return new Set(alone ? [] : others)
}
