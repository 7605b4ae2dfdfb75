import type { Log } from '@sluice/contract/log'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { en as logEn } from '../texts/en.ts'
import type { en as receiptEn } from '../texts/receipt-en.ts'
import { rowText } from './receipt/losses.ts'
import { endingText } from './receipt/receipt-text.ts'

type Texts = Pick<Translation<typeof logEn>, 'countedHere'> &
  Pick<Translation<typeof receiptEn>, 'endings' | 'notCharged'>

/**
 * What sets a row apart from others: how its answer ended if it was not complete, what was not sent to the provider, or the row's
 * own words. Empty for an ordinary charge, whose text is only its price, which is in the row's panel.
 */
export function rowRemark({ content, metadata }: Pick<Log, 'content' | 'metadata'>, t: Texts): string {
  const { isPrice, text, losses } = rowText(content)
  const { ended = '', usage_estimated } = metadata
  return [
    ...(ended === '' || ended === 'complete' ? [] : [endingText(ended, t)]),
    ...(isPrice ? losses : [text]),
    ...(usage_estimated === true ? [t.countedHere] : []),
  ]
    .filter((part) => part !== '')
    .join(' · ')
}
