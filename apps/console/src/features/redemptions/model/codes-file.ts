import { formatLocalDay } from '~/lib/format/date.ts'

/** Codes one per line, and a file name that says what they are: `redemption-codes-spring-2026-03-09.txt`. */
export function codesFile(name: string, codes: readonly string[], now: Date): { name: string; text: string } {
  const part = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
  const parts = ['redemption-codes', part, formatLocalDay(now)].filter((text) => text !== '')
  return { name: `${parts.join('-')}.txt`, text: `${codes.join('\n')}\n` }
}
