import { readdirSync, readFileSync } from 'node:fs'

/** Resources used so far by a process and its children, from Linux's /proc. */
export interface Usage {
  /** Nanoseconds on a processor core, over all live threads. */
  readonly cpuNs: number
  readonly rssBytes: number
}

export interface Thread {
  readonly process: number
  readonly id: number
  /** At most 15 characters; Node 24 names its workers as they were started. */
  readonly name: string
  /** Nanoseconds on a processor core so far. */
  readonly cpuNs: number
}

export function usageOf(pid: number): Usage {
  return {
    cpuNs: sum(threadsOf(pid).map(({ cpuNs }) => cpuNs)),
    rssBytes: sum(familyOf(pid).map(rssOf)),
  }
}

/** `schedstat` counts nanoseconds, `stat` only hundredths of a second. */
export function threadsOf(pid: number): readonly Thread[] {
  return familyOf(pid).flatMap((process) =>
    tasksOf(process).flatMap((thread) => {
      const read = (file: string) => readFileSync(`/proc/${process}/task/${thread}/${file}`, 'utf8')
      try {
        return [
          { process, id: Number(thread), name: read('comm').trim(), cpuNs: Number(read('schedstat').split(' ')[0]) },
        ]
      } catch {
        return [] // ended since the folder was listed
      }
    }),
  )
}

/** Nanoseconds for which the main thread had work but no core: what other programs cost the measurement. */
export function waitedNs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1])
}

function familyOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(familyOfChild)]
}

/** A database server's processes come and go, so a child may end before it is looked at. */
function familyOfChild(pid: number): readonly number[] {
  try {
    return familyOf(pid)
  } catch {
    return []
  }
}

function tasksOf(process: number): readonly string[] {
  try {
    return readdirSync(`/proc/${process}/task`)
  } catch {
    return []
  }
}

function rssOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
