import type { PriceSource } from '@sluice/contract/receipt'
import type { en } from '~/features/logs/texts/receipt-en.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { formatExact } from './exact.ts'

type Words = Translation<typeof en>

export function priceName({ kind, name, channel }: PriceSource, t: Words): string {
  switch (kind) {
    case 'book':
      return t.book(name)
    case 'channel':
      return channel > 0 ? t.channelOf(channel) : t.channel
    case 'override':
      return t.override
    case 'policy':
      if (name === 'free') return t.policyFree
      return name === 'reported' ? t.policyReported : t.policyFallback
    case 'external':
      return t.external
    case 'other':
      return t.otherSource
  }
}

/** The tier and the time window that applied, if any. */
export function priceNotes({ tier, window }: PriceSource, t: Words): readonly string[] {
  return [
    ...(tier === ''
      ? []
      : [
          `${t.tier}: ${tier
            .split(',')
            .map((bound) => boundText(bound, t))
            .join(', ')}`,
        ]),
    ...(window === '' ? [] : [`${t.window}: ${window}`]),
  ]
}

/** `input>=272001` in words. */
function boundText(bound: string, t: Words): string {
  const [side, tokens = ''] = bound.split('>=')
  if (!/^\d+$/.test(tokens)) return bound
  return side === 'output' ? t.fromOutput(formatExact(tokens)) : t.fromInput(formatExact(tokens))
}
