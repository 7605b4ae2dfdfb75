import type { Turn } from './parts.ts'

/** Tool names by the id of their call, for dialects whose results name the tool. */
export function toolNames(turns: readonly Turn[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { parts } of turns) {
    for (const part of parts) if (part.kind === 'tool-call') names.set(part.id, part.name)
  }
  return names
}
