/** First and last four characters of a key; a key of eight or fewer is hidden whole. */
export function maskedKey(key: string): string {
  return key.length <= 8 ? '***' : `${key.slice(0, 4)}***${key.slice(-4)}`
}
