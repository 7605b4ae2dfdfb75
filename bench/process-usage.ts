import { readdirSync, readFileSync } from 'node:fs'

/** What a process and its children have used so far, read from Linux's /proc. */
export interface Usage {
  /** Nanoseconds on a processor core, all threads that live now. */
  readonly cpuNs: number
  /** Bytes of memory in RAM. */
  readonly rssBytes: number
}

export function usageOf(pid: number): Usage {
  const family = [pid, ...childrenOf(pid)]
  return {
    cpuNs: sum(family.map(cpuOf)),
    rssBytes: sum(family.map(rssOf)),
  }
}

/** Nanoseconds for which the main thread had work and no core to do it on: what other programs cost the measurement. */
export function waitedNs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1])
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return children.flatMap((child) => [child, ...childrenOf(child)])
}

/** `schedstat` counts nanoseconds, where `stat` would count hundredths of a second. */
function cpuOf(pid: number): number {
  return sum(
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    }),
  )
}

function rssOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
