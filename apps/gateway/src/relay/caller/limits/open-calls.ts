/** How many requests each limited caller has open; callers without a limit are not counted. */
export interface OpenCalls {
  /** False if that many are already open; otherwise it must be released. */
  take(key: string, limit: number): boolean | Promise<boolean>
  giveBack(key: string): void
}

/** Only in this process, which enforces its share of each limit, but allows at least one. `shareOf`: above 0, at most 1. */
export function createOpenCalls(shareOf: () => number): OpenCalls {
  const open = new Map<string, number>()
  return {
    take: (key, limit) => {
      const count = open.get(key) ?? 0
      if (count >= Math.max(1, Math.ceil(limit * shareOf()))) return false
      open.set(key, count + 1)
      return true
    },
    giveBack: (key) => {
      const count = open.get(key) ?? 0
      if (count <= 1) open.delete(key)
      else open.set(key, count - 1)
    },
  }
}
