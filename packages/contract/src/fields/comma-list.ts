/** A stored comma-separated list: trimmed, without empty and repeated entries. */
export function splitList(text: string | null): readonly string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim())
  return [...new Set(entries)].filter((entry) => entry !== '')
}
