/** Whether a release's tag names the running version; tags may begin with a `v`. */
export function isSameRelease(tag: string, version: string): boolean {
  return tag.trim().replace(/^v/i, '') === version.trim().replace(/^v/i, '')
}
