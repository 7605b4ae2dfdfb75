/** A metric. Names and units follow Prometheus: base units, counters end in `_total`. */
export interface Family<Kind extends FamilyKind = FamilyKind> {
  readonly kind: Kind
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram's buckets, ascending, without infinity. */
  readonly buckets: readonly number[]
  /** Name of the closest metric in One API (its branch with monitoring), or empty. */
  readonly oneApi: string
}

export type FamilyKind = 'counter' | 'gauge' | 'histogram'
export type Families = Readonly<Record<string, Family>>

/** Adds up for the life of the process. Label values are in the order of the family. */
export interface Counter {
  add(by: number, ...labels: readonly string[]): void
}

export interface Gauge {
  set(value: number, ...labels: readonly string[]): void
  /** Removes all series; only those that are set again return. */
  clear(): void
}

export interface Histogram {
  observe(value: number, ...labels: readonly string[]): void
}

type Instrument<Kind extends FamilyKind> = Kind extends 'counter' ? Counter : Kind extends 'gauge' ? Gauge : Histogram
export type Instruments<All extends Families> = { readonly [Key in keyof All]: Instrument<All[Key]['kind']> }
