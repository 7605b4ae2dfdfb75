import { randomUUIDv7 } from 'node:crypto'

/** UUIDv7 as 32 hex characters, the length of the family's ids: sorts by time and has 74 random bits, so it cannot be guessed. */
export function newRequestId(): string {
  return randomUUIDv7().replaceAll('-', '')
}
