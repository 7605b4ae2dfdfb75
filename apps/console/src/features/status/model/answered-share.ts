import type { ChannelHistory } from '@sluice/contract/channel-history'
import type { Tone } from '~/ui/badge.tsx'

/** A bar of a channel's history. Times in unix seconds. */
export interface Bar {
  readonly from: number
  readonly until: number
  /** Thousandths of the calls that were answered; null without calls. */
  readonly answered: number | null
  readonly tone: Tone
}

/** A channel that nearly always answers is good; one whose failures callers notice is not. */
const GOOD = 990
const WARN = 950

export function toneOf(answered: number | null): Tone {
  if (answered === null) return 'neutral'
  if (answered >= GOOD) return 'good'
  return answered >= WARN ? 'warn' : 'bad'
}

export function barsOf({ from, step, bars }: ChannelHistory): readonly Bar[] {
  return bars.map((answered, at) => ({
    from: from + at * step,
    until: from + (at + 1) * step,
    answered,
    tone: toneOf(answered),
  }))
}

/** `99.8 %`, in the language's own way. */
export function formatShare(thousandths: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(thousandths / 1_000)
}
