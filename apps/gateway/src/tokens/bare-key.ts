/**
 * Shown before a key, not stored. Other programs of the family list keys without it, so scripts prepend it even to a key that has
 * it.
 */
export const KEY_PREFIX = /^(?:sk-(?:sk-)?|laisky-)/

/** Longer than any key of the family; hashing longer input would be a waste. */
export const MAX_KEY_LENGTH = 256

/** A key as it is stored: without the prefix, and without the channel that it may name. */
export function bareKey(presented: string): string {
  const [key = ''] = presented.replace(KEY_PREFIX, '').split('-', 1)
  return key.slice(0, MAX_KEY_LENGTH + 1)
}
