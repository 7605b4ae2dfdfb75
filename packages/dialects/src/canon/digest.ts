/**
 * Letters and digits derived from a text by two runs of FNV-1a, enough to distinguish the names and ids of one conversation. Not
 * secret, and must not be used as a secret. `length` is at most 14.
 */
export function digest(text: string, length: number): string {
  const [low, high] = [fnv(text, 0x811c9dc5), fnv(text, 0x01000193)]
  return (low.toString(36) + high.toString(36)).padStart(length, '0').slice(-length)
}

const DIGEST_LENGTH = 10

/** The text, or its beginning and a digest if it exceeds `limit`. Deterministic: each turn of a conversation writes it alike. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  // Drops half a surrogate pair at the cut.
  return `${text.slice(0, limit - DIGEST_LENGTH - 1).toWellFormed()}_${digest(text, DIGEST_LENGTH)}`
}

function fnv(text: string, seed: number): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
