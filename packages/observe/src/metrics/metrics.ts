import { histogramLines, sampleLine, titleLines } from './exposition.ts'
import type { Counter, Families, Family, Gauge, Histogram, Instruments } from './family.ts'

/** All metrics, with their text for a scraper. */
export interface Metrics<All extends Families> {
  readonly instruments: Instruments<All>
  /** The text exposition format of Prometheus, version 0.0.4. */
  readonly text: () => string
}

export interface MetricsLimits {
  /**
   * Maximum series of one counter or gauge (class S28). Further series of a counter share the one whose labels are all `other`;
   * further series of a gauge are left out, because no single value describes several things.
   */
  readonly series: number
  /** Maximum series of a histogram, whose series have a line for each bucket. */
  readonly histogramSeries: number
}

const METRICS_LIMITS: MetricsLimits = { series: 1_000, histogramSeries: 200 }

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Instruments for every family of a catalogue. Calls return at once, and memory is bounded by the limits. */
export function createMetrics<All extends Families>(
  families: All,
  limits: MetricsLimits = METRICS_LIMITS,
): Metrics<All> {
  const written: (() => string)[] = []
  const instruments: Record<string, Counter | Gauge | Histogram> = {}
  for (const [key, family] of Object.entries(families)) {
    const made =
      family.kind === 'histogram' ? histogram(family, limits.histogramSeries) : numbers(family, limits.series)
    instruments[key] = made.instrument
    written.push(made.text)
  }
  return {
    // Each family above got an instrument of its kind, which the type system cannot infer through the loop.
    instruments: instruments as unknown as Instruments<All>,
    text: () => written.map((text) => text()).join(''),
  }
}

const OTHER = 'other'
/** Longer label values are cut. */
const LABEL_LENGTH = 128

/** The series of a family by label values. */
class Series<Value> {
  readonly #family: Family
  readonly #limit: number
  readonly #make: () => Value
  readonly #known = new Map<string, { readonly labels: readonly string[]; readonly value: Value }>()

  constructor(family: Family, limit: number, make: () => Value) {
    this.#family = family
    this.#limit = limit
    this.#make = make
  }

  at(labels: readonly string[]): Value {
    const known = this.#known.get(labels.join('\n'))
    return known === undefined ? this.#add(labels) : known.value
  }

  all(): IterableIterator<{ readonly labels: readonly string[]; readonly value: Value }> {
    return this.#known.values()
  }

  clear(): void {
    this.#known.clear()
  }

  #add(labels: readonly string[]): Value {
    if (labels.length !== this.#family.labels.length) {
      throw new RangeError(`${this.#family.name} has the labels ${this.#family.labels.join(', ')}`)
    }
    const cut = labels.map((label) => label.replaceAll('\n', ' ').slice(0, LABEL_LENGTH))
    const isGauge = this.#family.kind === 'gauge'
    // One series is reserved for the others.
    const isFull = this.#known.size >= (isGauge ? this.#limit : this.#limit - 1)
    const own = isFull && !this.#known.has(cut.join('\n')) ? cut.map(() => OTHER) : cut
    const key = own.join('\n')
    const found = this.#known.get(key)
    if (found !== undefined) return found.value
    const value = this.#make()
    if (!isFull || !isGauge) this.#known.set(key, { labels: own, value })
    return value
  }
}

interface Made {
  readonly instrument: Counter | Gauge | Histogram
  readonly text: () => string
}

function numbers(family: Family, limit: number): Made {
  const series = new Series(family, limit, () => ({ sum: 0 }))
  const instrument: Counter & Gauge = {
    add: (by, ...labels) => {
      series.at(labels).sum += by
    },
    set: (value, ...labels) => {
      series.at(labels).sum = value
    },
    clear: () => series.clear(),
  }
  // A rate needs a first value, so counters start at 0 instead of being missing.
  if (family.kind === 'counter' && family.labels.length === 0) instrument.add(0)
  return {
    instrument,
    text: () => {
      let text = titleLines(family)
      for (const { labels, value } of series.all()) text += sampleLine(family.name, family.labels, labels, value.sum)
      return text
    },
  }
}

function histogram(family: Family, limit: number): Made {
  const { buckets } = family
  const series = new Series(family, limit, () => ({ counts: new Float64Array(buckets.length + 1), sum: 0 }))
  return {
    instrument: {
      observe: (value, ...labels) => {
        const own = series.at(labels)
        let at = 0
        while (at < buckets.length && value > (buckets[at] ?? Infinity)) at += 1
        own.counts[at] = (own.counts[at] ?? 0) + 1
        own.sum += value
      },
    },
    text: () => {
      let text = titleLines(family)
      for (const { labels, value } of series.all()) text += histogramLines(family, labels, value.counts, value.sum)
      return text
    },
  }
}
