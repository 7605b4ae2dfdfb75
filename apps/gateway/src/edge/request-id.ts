import { randomUUIDv7 } from 'node:crypto'

/**
 * UUIDv7 as 32 hex characters: sorts by time, fits the family's 32-character ids, and has 74 random bits, so it cannot be guessed.
 */
export function newRequestId(): string {
  return randomUUIDv7().replaceAll('-', '')
}
