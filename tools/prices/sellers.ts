import { KINDS } from '@sluice/providers/kinds/all'
import type { PriceSource, ProviderKind } from '@sluice/providers/kinds/kind'
import type { PriceTable } from '@sluice/providers/prices/price-row'
import { ANTHROPIC_PRICES } from './overlay/anthropic.ts'
import { COHERE_PRICES } from './overlay/cohere.ts'
import { GOOGLE_PRICES } from './overlay/google.ts'
import { OPENAI_PRICES } from './overlay/openai.ts'
import { OPENROUTER_PRICES } from './overlay/openrouter.ts'
import {
  DEEPSEEK_PRICES,
  GROQ_PRICES,
  MINIMAX_PRICES,
  MISTRAL_PRICES,
  MOONSHOT_PRICES,
  XAI_PRICES,
  ZHIPU_PRICES,
} from './overlay/other-vendors.ts'
import {
  BAICHUAN_PRICES,
  BAIDU_PRICES,
  BAILIAN_DEEPSEEK_PRICES,
  BAILIAN_PRICES,
  STEPFUN_PRICES,
  TENCENT_PRICES,
  VOLCANO_DEEPSEEK_PRICES,
  VOLCANO_PRICES,
  YI_PRICES,
  ZHINAO_PRICES,
} from './overlay/yuan.ts'

const OVERLAYS: Readonly<Record<string, PriceTable>> = {
  ANTHROPIC_PRICES,
  COHERE_PRICES,
  GOOGLE_PRICES,
  OPENAI_PRICES,
  OPENROUTER_PRICES,
  DEEPSEEK_PRICES,
  GROQ_PRICES,
  MINIMAX_PRICES,
  MISTRAL_PRICES,
  MOONSHOT_PRICES,
  XAI_PRICES,
  ZHIPU_PRICES,
  BAICHUAN_PRICES,
  BAIDU_PRICES,
  BAILIAN_DEEPSEEK_PRICES,
  BAILIAN_PRICES,
  STEPFUN_PRICES,
  TENCENT_PRICES,
  VOLCANO_DEEPSEEK_PRICES,
  VOLCANO_PRICES,
  YI_PRICES,
  ZHINAO_PRICES,
}

export interface SellerSources extends Omit<PriceSource, 'seller' | 'overlay'> {
  /** Of kinds that share their prices, the first is the vendor's own. */
  readonly kinds: readonly number[]
  readonly resold?: true
  readonly overlay: PriceTable
}

const ORDER = { reseller: 0, vendor: 1, host: 2 }

/** In search order: resellers before the vendors, and vendors before hosts of open models. */
export const SELLERS: readonly SellerSources[] = sellersOf(KINDS)

export function sellersOf(kinds: readonly ProviderKind[]): readonly SellerSources[] {
  const sources = new Set(kinds.flatMap(({ prices }) => prices))
  return [...sources]
    .map((source) => ({ source, codes: codesOf(kinds, source) }))
    .toSorted((a, b) => ORDER[a.source.seller] - ORDER[b.source.seller] || (a.codes[0] ?? 0) - (b.codes[0] ?? 0))
    .map(({ source: { seller, overlay, ...found }, codes }) => ({
      ...found,
      kinds: codes,
      ...(seller === 'reseller' ? { resold: true } : {}),
      overlay: tableOf(overlay),
    }))
}

/** By code; kinds whose service has ended come last. */
function codesOf(kinds: readonly ProviderKind[], source: PriceSource): readonly number[] {
  const hasEnded = ({ standing }: ProviderKind) => Number(standing !== 'current' && standing.state === 'closed')
  return kinds
    .filter(({ prices }) => prices.includes(source))
    .toSorted((a, b) => hasEnded(a) - hasEnded(b) || a.code - b.code)
    .map(({ code }) => code)
}

function tableOf(name: string | undefined): PriceTable {
  if (name === undefined) return {}
  const table = OVERLAYS[name]
  if (table === undefined) throw new Error(`no overlay is called ${name}`)
  return table
}
