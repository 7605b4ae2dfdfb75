/** A span of OTLP, with this project's names. */
export interface Span {
  /** 32 hex digits. */
  readonly traceId: string
  /** 16 hex digits. */
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: 'server' | 'client'
  /** Unix milliseconds. */
  readonly started: number
  readonly ended: number
  /** Undefined values are left out. Whole numbers are sent as integers. */
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
  readonly isError: boolean
}
