/**
 * A name for a provider key that reveals nothing about it: the start of its SHA-256. `sha256Hex` is passed in, because this package
 * accesses nothing outside itself. 48 bits keep the keys of one channel apart.
 */
export function keyFingerprint(key: string, sha256Hex: (text: string) => string): string {
  return sha256Hex(`sluice channel key ${key}`).slice(0, 12)
}
