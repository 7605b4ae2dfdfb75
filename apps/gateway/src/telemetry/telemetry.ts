import type { Timers } from '@sluice/ledger/timers'
import type { FinishedCharge, FinishedRequest } from '@sluice/observe/finished-request'
import { METRICS } from '@sluice/observe/metrics/catalogue'
import { createMetrics } from '@sluice/observe/metrics/metrics'
import { requestSpans } from '@sluice/observe/tracing/request-spans'
import type { CalledLane } from '@sluice/routing/called-lane'
import type { FetchOutside } from '../outbound/outside.ts'
import { followProcess } from './process-metrics.ts'
import { countCall, countCharge, countRequest } from './request-metrics.ts'
import { type MetricsListener, serveMetrics } from './serve-metrics.ts'
import { openSpanExporter } from './span-exporter.ts'
import { refreshState, type StateSources } from './state-metrics.ts'

/** What the gateway tells of itself. All of it returns at once. */
export interface Telemetry {
  onFinished(request: FinishedRequest): void
  onCalled(call: CalledLane): void
  onCharged(charge: FinishedCharge): void
  /** A request was refused, by a code of the error catalogue. */
  onRefused(code: string): void
  readonly serveMetrics: MetricsListener
  /** Sends what is left to the collector. */
  close(): Promise<void>
}

export interface TelemetryConfig {
  readonly metricsToken: string
  /** Empty: no spans. */
  readonly otlpEndpoint: string
  readonly otlpHeaders: Readonly<Record<string, string>>
  /** Share of the traces that is recorded, 0 to 1. */
  readonly otlpSample: number
}

export interface TelemetryParts extends StateSources {
  readonly config: TelemetryConfig
  readonly version: string
  /** Name of this process among the replicas. */
  readonly replica: string
  readonly timers: Timers
  readonly fetchOutside: FetchOutside
  /** 16 hex digits. */
  readonly newSpanId: () => string
  readonly log: { warn(fields: object, message: string): void }
}

export function openTelemetry(parts: TelemetryParts): Telemetry {
  const { config, version, replica, timers, now, log } = parts
  const { instruments, text } = createMetrics(METRICS)
  const process = followProcess(instruments, { timers, version })
  const exporter =
    config.otlpEndpoint === ''
      ? undefined
      : openSpanExporter({
          endpoint: config.otlpEndpoint,
          headers: config.otlpHeaders,
          source: { version, instance: replica },
          fetchOutside: parts.fetchOutside,
          timers,
          now,
          onSpans: (outcome, count) => instruments.spans.add(count, outcome),
          onTrouble: (reason) => log.warn({ reason }, 'traces did not reach their collector; some are lost'),
        })
  return {
    onFinished: (request) => {
      countRequest(instruments, request)
      exporter?.add(requestSpans(request, config.otlpSample, parts.newSpanId))
    },
    onCalled: (call) => countCall(instruments, call),
    onCharged: (charge) => countCharge(instruments, charge),
    onRefused: (code) => instruments.refusals.add(1, code),
    serveMetrics: serveMetrics(config.metricsToken, async () => {
      process.refresh()
      await refreshState(instruments, parts)
      return text()
    }),
    close: async () => {
      process.close()
      await exporter?.close()
    },
  }
}
