import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Timers } from '@sluice/ledger/timers'
import type { GatewayInstruments } from './request-metrics.ts'

const LOOK_MS = 500
const SAMPLE_MS = 10
const NANOSECONDS = 1e9

export interface ProcessMetrics {
  refresh(): void
  close(): void
}

export function openProcessMetrics(
  metrics: GatewayInstruments,
  { timers, version }: { readonly timers: Pick<Timers, 'every'>; readonly version: string },
): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS })
  delay.enable()
  const stop = timers.every(LOOK_MS, () => {
    // A sample is measured from timer to timer, so an idle loop shows the interval between two samples.
    metrics.loopDelaySeconds.observe(Math.max(0, delay.max / NANOSECONDS - SAMPLE_MS / 1_000))
    delay.reset()
  })
  metrics.build.set(1, version)
  metrics.startTime.set(performance.timeOrigin / 1_000)
  let busyMs = 0
  let cpuMicros = 0
  return {
    refresh: () => {
      const { rss, heapUsed, external } = process.memoryUsage()
      metrics.memory.set(rss)
      metrics.heap.set(heapUsed)
      metrics.buffers.set(external)
      const { user, system } = process.cpuUsage()
      metrics.cpu.add((user + system - cpuMicros) / 1e6)
      cpuMicros = user + system
      const { active } = performance.eventLoopUtilization()
      metrics.loopBusySeconds.add((active - busyMs) / 1_000)
      busyMs = active
    },
    close: () => {
      stop()
      delay.disable()
    },
  }
}
