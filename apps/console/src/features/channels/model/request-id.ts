/** Ids of requests as replies carry them: 32 hex characters, even if dashes or spaces were copied along. */
export function requestIdIn(text: string): string | undefined {
  const id = text.replace(/[\s-]/g, '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined
}
