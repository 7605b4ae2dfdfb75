/** Shown before a key, not stored. Some programs list keys without it, so scripts prepend it even to a key that has it. */
export const KEY_PREFIX = /^(?:sk-(?:sk-)?|laisky-)/

/** Longer than any key of the family; hashing longer input would be a waste. */
export const MAX_KEY_LENGTH = 256

/** A key in its stored form: without the prefix and without a channel's number. */
export function bareKey(presented: string): string {
  const [key = ''] = presented.replace(KEY_PREFIX, '').split('-', 1)
  return key.slice(0, MAX_KEY_LENGTH + 1)
}
