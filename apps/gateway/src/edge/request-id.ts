import { randomUUIDv7 } from 'node:crypto'

/** UUIDv7 as 32 hex characters: sorts by time, fits the family's 32-character ids, cannot be guessed (74 random bits). */
export function newRequestId(): string {
  return randomUUIDv7().replaceAll('-', '')
}
