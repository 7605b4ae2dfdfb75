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

/** Who sells on which kinds of channel, and where their prices are found. */
export interface SellerSources {
  readonly kinds: readonly number[]
  readonly currency?: 'CNY'
  readonly resold?: true
  /** File of pi-ai's data. */
  readonly pi?: string
  /** Provider of genai-prices. */
  readonly genai?: string
  readonly overlay?: PriceTable
  /** The vendor's dearer prices hold from the threshold on, where pi-ai says "above" it. */
  readonly isInclusive?: true
}

/** In the order in which they are asked: who resells comes before the vendors. */
export const SELLERS: readonly SellerSources[] = [
  { kinds: [3], resold: true, pi: 'azure', genai: 'azure', isInclusive: true },
  { kinds: [33], resold: true, pi: 'amazon-bedrock', genai: 'aws' },
  { kinds: [42], resold: true, pi: 'google-vertex' },
  { kinds: [20], resold: true, pi: 'openrouter', genai: 'openrouter', overlay: OPENROUTER_PRICES },
  { kinds: [39], resold: true, pi: 'together', genai: 'together' },
  { kinds: [37], resold: true, pi: 'cloudflare-workers-ai', genai: 'cloudflare' },
  { kinds: [41], resold: true, genai: 'novita' },
  { kinds: [17, 49], resold: true, currency: 'CNY', overlay: BAILIAN_DEEPSEEK_PRICES },
  { kinds: [40], resold: true, currency: 'CNY', overlay: VOLCANO_DEEPSEEK_PRICES },
  {
    kinds: [1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13],
    pi: 'openai',
    genai: 'openai',
    overlay: OPENAI_PRICES,
    isInclusive: true,
  },
  { kinds: [14, 42], pi: 'anthropic', genai: 'anthropic', overlay: ANTHROPIC_PRICES },
  { kinds: [24, 11, 42, 51], pi: 'google', genai: 'google', overlay: GOOGLE_PRICES },
  { kinds: [36], pi: 'deepseek', genai: 'deepseek', overlay: DEEPSEEK_PRICES },
  { kinds: [25], pi: 'moonshotai', genai: 'moonshotai', overlay: MOONSHOT_PRICES },
  { kinds: [16], pi: 'zai', genai: 'zai', overlay: ZHIPU_PRICES },
  { kinds: [45], pi: 'xai', genai: 'x-ai', overlay: XAI_PRICES, isInclusive: true },
  { kinds: [27], pi: 'minimax', genai: 'minimax', overlay: MINIMAX_PRICES },
  { kinds: [28], pi: 'mistral', genai: 'mistral', overlay: MISTRAL_PRICES },
  { kinds: [35], genai: 'cohere', overlay: COHERE_PRICES },
  { kinds: [17, 49], currency: 'CNY', overlay: BAILIAN_PRICES },
  { kinds: [40], currency: 'CNY', overlay: VOLCANO_PRICES },
  { kinds: [23], currency: 'CNY', overlay: TENCENT_PRICES },
  { kinds: [15, 47], currency: 'CNY', overlay: BAIDU_PRICES },
  { kinds: [19], currency: 'CNY', overlay: ZHINAO_PRICES },
  { kinds: [26], currency: 'CNY', overlay: BAICHUAN_PRICES },
  { kinds: [32], currency: 'CNY', overlay: STEPFUN_PRICES },
  { kinds: [31], currency: 'CNY', overlay: YI_PRICES },
  // Serves open models under their own names; whoever asks for them elsewhere pays no less.
  { kinds: [29], pi: 'groq', genai: 'groq', overlay: GROQ_PRICES },
]
