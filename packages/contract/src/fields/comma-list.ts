/** Splits a stored comma-separated list; entries are trimmed, empty and repeated ones left out. */
export function splitList(text: string | null): readonly string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim())
  return [...new Set(entries)].filter((entry) => entry !== '')
}
