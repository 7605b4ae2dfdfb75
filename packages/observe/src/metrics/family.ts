/** What is measured under one name. Names and units follow Prometheus: base units, counters end in `_total`. */
export interface Family<Kind extends FamilyKind = FamilyKind> {
  readonly kind: Kind
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram's buckets, ascending; the last one, infinity, is left out. */
  readonly buckets: readonly number[]
  /** What One API (its branch with monitoring) calls the closest metric; empty when it has none. */
  readonly oneApi: string
}

export type FamilyKind = 'counter' | 'gauge' | 'histogram'
export type Families = Readonly<Record<string, Family>>

/** Adds up for the life of the process. Label values are in the order of the family. */
export interface Counter {
  add(by: number, ...labels: readonly string[]): void
}

/** Reports a current value. */
export interface Gauge {
  set(value: number, ...labels: readonly string[]): void
  /** Removes all series: those that are not set again are gone. */
  clear(): void
}

/** Counts values by size. */
export interface Histogram {
  observe(value: number, ...labels: readonly string[]): void
}

type Instrument<Kind extends FamilyKind> = Kind extends 'counter' ? Counter : Kind extends 'gauge' ? Gauge : Histogram
export type Instruments<All extends Families> = { readonly [Key in keyof All]: Instrument<All[Key]['kind']> }
