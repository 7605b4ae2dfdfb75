import { UNKNOWN } from './unknown.ts'

const KILO = 1_000

/** `512 B`, `1.5 kB`, `2.0 MB`: decimal steps, one decimal. */
export function formatBytes(bytes: number): string {
  if (Number.isNaN(bytes)) return UNKNOWN
  if (bytes < KILO) return `${bytes} B`
  // 999,950 would read 1000.0 kB, so the step to MB comes where kB rounds up to it.
  return bytes < 999_950 ? `${(bytes / KILO).toFixed(1)} kB` : `${(bytes / KILO / KILO).toFixed(1)} MB`
}
