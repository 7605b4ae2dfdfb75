/** Splits a stored comma-separated list; trims entries, drops empty and repeated ones. */
export function splitList(text: string | null): readonly string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim())
  return [...new Set(entries)].filter((entry) => entry !== '')
}
