import * as v from 'valibot'
import { headerPairs, variable } from './variable.ts'

export const TELEMETRY_VARIABLES = {
  metricsToken: variable({
    name: 'SLUICE_METRICS_TOKEN',
    schema: v.pipe(v.string(), v.regex(/^$|^[!-~]{16,256}$/, 'must be 16 to 256 characters without spaces')),
    fallback: '',
    reason: 'Bearer token required for GET /metrics. If it is not set, the page is not served.',
    example: '3b1f8c7e9a2d4f60',
    secret: true,
  }),
  otlpEndpoint: variable({
    name: 'SLUICE_OTLP_ENDPOINT',
    schema: v.union(
      [v.literal(''), v.pipe(v.string(), v.regex(/^https?:\/\/[^\s?#@]+$/i))],
      'must be an http(s) address without query, name or password',
    ),
    fallback: '',
    reason:
      'OpenTelemetry collector that receives traces as OTLP over HTTP, in JSON; /v1/traces is appended. Empty: none.',
    example: 'http://collector.internal:4318',
  }),
  otlpHeaders: variable({
    name: 'SLUICE_OTLP_HEADERS',
    schema: headerPairs,
    fallback: '',
    reason: 'Headers for the collector, such as its key: name=value pairs separated by commas.',
    example: 'x-api-key=3b1f8c7e9a2d4f60',
    secret: true,
  }),
  otlpSample: variable({
    name: 'SLUICE_OTLP_SAMPLE',
    schema: v.pipe(
      v.string(),
      v.regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'must be a number from 0 to 1'),
      v.transform(Number),
    ),
    fallback: '1',
    reason: 'Share of traces that is sent. Traces that the client marks as not recorded are never sent.',
    example: '0.05',
  }),
} as const
