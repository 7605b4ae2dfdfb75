/** How many requests of whom are under way in this process; only those who are held to a limit are counted. */
export interface OpenCalls {
  /** False when that many are open already; else to be given back. */
  take(key: string, limit: number): boolean
  giveBack(key: string): void
}

export function createOpenCalls(): OpenCalls {
  const open = new Map<string, number>()
  return {
    take: (key, limit) => {
      const count = open.get(key) ?? 0
      if (count >= limit) return false
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
