import { type BodyRefusal, duplicateKey, invalidField, invalidJson } from './body-refusal.ts'
import { type KeySet } from './splice/key-set.ts'
import { isScanFault, parseScalar, type ScanFault, scanObject, type ScannedObject, type Span } from './splice/scan.ts'

/** Longer model names cannot be configured. */
const MODEL_LIMIT = 256

/** The wanted fields of a JSON request body, checked one by one; null counts as absent. */
export class RequestFields<K extends string> {
  readonly object: Span
  /** Inline images, audio and files. */
  readonly media: { readonly count: number; readonly bytes: number }
  readonly spans: Readonly<Partial<Record<K, Span>>>
  /** A nested member may refer to something that a provider stores. */
  readonly mayRefer: boolean
  readonly #body: Uint8Array

  private constructor(body: Uint8Array, scanned: ScannedObject<K>) {
    this.#body = body
    this.object = scanned.object
    this.spans = scanned.values
    this.media = { count: scanned.mediaCount, bytes: scanned.mediaBytes }
    this.mayRefer = scanned.mayRefer
  }

  /** Refuses invalid JSON, anything but an object, and a wanted key that appears twice. */
  static read<K extends string>(body: Uint8Array, keys: KeySet<K>): RequestFields<K> | BodyRefusal {
    const scanned = scanObject(body, keys)
    return isScanFault(scanned) ? refuseScan(scanned, 'body') : new RequestFields(body, scanned)
  }

  /** A list or an object is returned empty: no field read here may be one. */
  value(key: K): unknown {
    const span = this.spans[key]
    return span === undefined ? null : parseScalar(this.#body, span)
  }

  /** Size of the field in the body; 0 if it is absent. */
  bytes(key: K): number {
    const span = this.spans[key]
    return span === undefined ? 0 : span.end - span.start
  }
}

export function readModel(model: unknown, field = 'model'): string | BodyRefusal {
  if (model === null) return invalidField(field, 'is required')
  if (typeof model !== 'string') return invalidField(field, 'must be a string')
  if (model.trim() === '') return invalidField(field, 'must not be empty')
  return model.length > MODEL_LIMIT ? invalidField(field, `must be at most ${MODEL_LIMIT} characters`) : model
}

export function readWhole(
  field: string,
  value: unknown,
  { min, max, absent }: { readonly min: number; readonly max: number; readonly absent: number },
): number | BodyRefusal {
  if (value === null) return absent
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : invalidField(field, `must be a whole number from ${min} to ${max}`)
}

/** Absent is false. */
export function readFlag(field: string, value: unknown): boolean | BodyRefusal {
  if (value === null) return false
  return typeof value === 'boolean' ? value : invalidField(field, 'must be true or false')
}

/** The text is required, not empty, and at most `limit` UTF-16 units long. */
export function readText(field: string, value: unknown, limit: number): string | BodyRefusal {
  if (value === null) return invalidField(field, 'is required')
  if (typeof value !== 'string') return invalidField(field, 'must be a string')
  if (value === '') return invalidField(field, 'must not be empty')
  return value.length > limit ? invalidField(field, `must be at most ${limit} characters`) : value
}

/** `path` is that of the scanned object. */
export function refuseScan(fault: ScanFault, path: string): BodyRefusal {
  switch (fault.fault) {
    case 'syntax':
      return invalidJson(fault.reason)
    case 'not_object':
      return invalidField(path, 'must be a JSON object')
    case 'duplicate':
      return duplicateKey(path === 'body' ? fault.key : `${path}.${fault.key}`)
    case 'twin':
      return misspelt(path === 'body' ? fault.key : `${path}.${fault.key}`, fault.written)
  }
}

const WRITTEN_LIMIT = 100

/** Refuses a field whose name only some readers accept: they would see a value that was not checked. */
export function misspelt(field: string, written: string): BodyRefusal {
  const shown = JSON.stringify(written.slice(0, WRITTEN_LIMIT)).replace(/[^ -~]/g, escapeUnit)
  return invalidField(field, `must not be spelled ${shown}: some providers would read that field instead`)
}

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Requires a span found by a scan: only the first byte is examined. */
export function isNull(body: Uint8Array, span: Span): boolean {
  return body[span.start] === 0x6e
}

/** As `isNull`. */
export function isText(body: Uint8Array, span: Span): boolean {
  return body[span.start] === 0x22
}

/** As `isNull`. */
export function isList(body: Uint8Array, span: Span): boolean {
  return body[span.start] === 0x5b
}

export function isRefused(value: unknown): value is BodyRefusal {
  return typeof value === 'object' && value !== null && 'code' in value
}
