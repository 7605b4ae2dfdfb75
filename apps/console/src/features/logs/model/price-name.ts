import type { PriceSource } from '@sluice/contract/receipt'
import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from '../texts/receipt-en.ts'

type Words = Translation<typeof en>

/** Where a price came from, in words. */
export function priceName({ kind, version, channel }: PriceSource, t: Words): string {
  switch (kind) {
    case 'book':
      return t.book(version)
    case 'channel':
      return channel > 0 ? t.channelOf(channel) : t.channel
    case 'external':
      return t.external
    case 'other':
      return t.otherSource
  }
}

/** The tier and the time window that held, where there were any. */
export function priceNotes({ tier, window }: PriceSource, t: Words): readonly string[] {
  return [...(tier === '' ? [] : [`${t.tier}: ${tier}`]), ...(window === '' ? [] : [`${t.window}: ${window}`])]
}
