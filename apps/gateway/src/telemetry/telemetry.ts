import type { Timers } from '@sluice/ledger/timers'
import type { FinishedCharge, FinishedRequest } from '@sluice/observe/finished-request'
import { METRICS } from '@sluice/observe/metrics/catalogue'
import { createMetrics } from '@sluice/observe/metrics/metrics'
import { requestSpans } from '@sluice/observe/tracing/request-spans'
import type { CalledLane } from '@sluice/routing/lane'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { openProcessMetrics } from './process-metrics.ts'
import { countCall, countCharge, countRequest } from './request-metrics.ts'
import { type MetricsListener, createMetricsListener } from './serve-metrics.ts'
import { openSpanExporter, type SpanExporter } from './span-exporter.ts'
import { refreshState, type StateSources } from './state-metrics.ts'

/** The gateway's reports about itself. Every call returns at once. */
export interface Telemetry {
  readonly onFinished: ((request: FinishedRequest) => void) | undefined
  onCalled(call: CalledLane): void
  readonly onCharged: ((charge: FinishedCharge) => void) | undefined
  /** Called for a refused request, with a code of the error catalogue. */
  readonly onRefused: (code: string) => void
  readonly serveMetrics: MetricsListener
  /** Sends the remaining data to the collector. */
  close(): Promise<void>
}

export interface TelemetryConfig {
  readonly metricsToken: string
  /** If empty, no spans are made. */
  readonly otlpEndpoint: string
  readonly otlpHeaders: Readonly<Record<string, string>>
  /** Share of the recorded traces, 0 to 1. */
  readonly otlpSample: number
}

export interface TelemetryParts extends StateSources {
  readonly config: TelemetryConfig
  readonly version: string
  readonly replica: string
  readonly timers: Timers
  readonly fetchGuarded: FetchGuarded
  /** 16 hex digits. */
  readonly newSpanId: () => string
  readonly log: { warn(fields: object, message: string): void }
}

/** Counts only if metrics can be read, and makes spans only if there is a collector. */
export function openTelemetry(parts: TelemetryParts): Telemetry {
  const { config } = parts
  const metrics = config.metricsToken === '' ? undefined : createMetrics(METRICS)
  const counted = metrics?.instruments
  const process = counted && openProcessMetrics(counted, parts)
  const exporter =
    config.otlpEndpoint === '' ? undefined : openExporter(parts, (outcome, count) => counted?.spans.add(count, outcome))
  return {
    onFinished:
      counted === undefined && exporter === undefined
        ? undefined
        : (request) => {
            if (counted !== undefined) countRequest(counted, request)
            exporter?.add(requestSpans(request, config.otlpSample, parts.newSpanId))
          },
    onCalled: (call) => {
      if (counted !== undefined) countCall(counted, call)
    },
    onCharged: counted && ((charge) => countCharge(counted, charge)),
    onRefused: (code) => counted?.refusals.add(1, code),
    serveMetrics: createMetricsListener(config.metricsToken, async () => {
      process?.refresh()
      if (counted !== undefined) await refreshState(counted, parts)
      return metrics?.text() ?? ''
    }),
    close: async () => {
      process?.close()
      await exporter?.close()
    },
  }
}

function openExporter(
  parts: TelemetryParts,
  onSpans: (outcome: 'sent' | 'dropped', count: number) => void,
): SpanExporter {
  const { config, version, replica, log } = parts
  return openSpanExporter({
    ...parts,
    endpoint: config.otlpEndpoint,
    headers: config.otlpHeaders,
    source: { version, instance: replica },
    onSpans,
    onTrouble: (reason) => log.warn({ reason }, 'traces could not be sent to the collector; some are lost'),
  })
}
