/** Shown before a key, not stored. Others of the family list keys without it, so scripts prepend it even to one that has it. */
export const KEY_PREFIX = /^(?:sk-(?:sk-)?|laisky-)/

/** Longer than any key of this family; hashing longer input would be a waste. */
export const MAX_KEY_LENGTH = 256

/** A key as it is stored: without the prefix it is shown with, and without a channel that it names. */
export function bareKey(presented: string): string {
  const [key = ''] = presented.replace(KEY_PREFIX, '').split('-', 1)
  return key.slice(0, MAX_KEY_LENGTH + 1)
}
