import type { Span } from './span.ts'

export interface SpanSource {
  readonly version: string
  /** Name of this process among the replicas. */
  readonly instance: string
}

/**
 * The body of an export, in OTLP's JSON: ids in hex, 64-bit integers as text, kinds and states as numbers.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function otlpBody(spans: readonly Span[], { version, instance }: SpanSource): string {
  const resource = {
    'service.name': 'sluice',
    'service.version': version,
    'service.instance.id': instance,
  }
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'sluice', version }, spans: spans.map(spanOf) }],
      },
    ],
  })
}

const KIND = { server: 2, client: 3 } as const
const STATUS_UNSET = 0
const STATUS_ERROR = 2

function spanOf({ traceId, spanId, parentId, name, kind, started, ended, attributes, isError }: Span) {
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: KIND[kind],
    startTimeUnixNano: nanoseconds(started),
    // Clocks can step back; no span ends before it began.
    endTimeUnixNano: nanoseconds(Math.max(started, ended)),
    attributes: attributesOf(attributes),
    status: { code: isError ? STATUS_ERROR : STATUS_UNSET },
  }
}

const nanoseconds = (ms: number) => `${Math.round(ms)}000000`

function attributesOf(attributes: Span['attributes']) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueOf(value) }],
  )
}

/** Longer texts are cut: model names come from clients. */
const TEXT_LENGTH = 256

function valueOf(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value.slice(0, TEXT_LENGTH) }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
