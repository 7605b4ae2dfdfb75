/**
 * Name of a provider's key that tells nothing of it: the start of its SHA-256. `sha256Hex` is handed in, as this package
 * reaches for nothing. 48 bits keep the keys of one channel apart.
 */
export function keyFingerprint(key: string, sha256Hex: (text: string) => string): string {
  return sha256Hex(`sluice channel key ${key}`).slice(0, 12)
}
