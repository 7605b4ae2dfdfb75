/** What the family's servers send for a balance without a limit. */
const UNLIMITED = -1

export function isUnlimited(quota: number): boolean {
  return quota === UNLIMITED
}
