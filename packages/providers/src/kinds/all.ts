import { aiProxyLibrary } from './ai-proxy-library.ts'
import { bailian, qianwen } from './alibaba.ts'
import { anthropic } from './anthropic.ts'
import { custom, openAiCompatible } from './any-server.ts'
import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { qianfan, wenxin } from './baidu.ts'
import { cerebras } from './cerebras.ts'
import { baichuan, fastGpt, miniMax, moonshot, stepFun, zeroOneAi, zhinao } from './chinese-vendors.ts'
import { cloudflare } from './cloudflare.ts'
import { cohere } from './cohere.ts'
import { coze } from './coze.ts'
import { deepInfra } from './deepinfra.ts'
import { deepl } from './deepl.ts'
import { deepSeek } from './deepseek.ts'
import { fireworks } from './fireworks.ts'
import { gemini, geminiOpenAi, palm, vertexAi } from './google.ts'
import { groq, novita, siliconFlow, together } from './hosts.ts'
import { spark, sparkV2 } from './iflytek.ts'
import { jina } from './jina.ts'
import type { ProviderKind } from './kind.ts'
import { mistral } from './mistral.ts'
import { nvidia } from './nvidia.ts'
import { ollama } from './ollama.ts'
import { aigc2d, aiLs, aiProxy, api2d, api2gpt, closeAi, ohMyGpt, openAiMax, openAiSb } from './openai-resellers.ts'
import { openAi } from './openai.ts'
import { openRouter } from './openrouter.ts'
import { perplexity } from './perplexity.ts'
import { proxy } from './proxy.ts'
import { replicate } from './replicate.ts'
import { hunyuan } from './tencent.ts'
import { volcano } from './volcano.ts'
import { xAi } from './xai.ts'
import { zhipu } from './zhipu.ts'

/**
 * Every kind of provider, by code. Codes are the family's: 1 to 51 those of songquanpeng/one-api and Laisky, 54 and above first
 * Laisky's own; 52 and 53 stay free, because Laisky uses them for channels that are Claude-compatible or Copilot.
 */
export const KINDS = [
  openAi,
  api2d,
  azure,
  closeAi,
  openAiSb,
  openAiMax,
  ohMyGpt,
  custom,
  aiLs,
  aiProxy,
  palm,
  api2gpt,
  aigc2d,
  anthropic,
  wenxin,
  zhipu,
  qianwen,
  spark,
  zhinao,
  openRouter,
  aiProxyLibrary,
  fastGpt,
  hunyuan,
  gemini,
  moonshot,
  baichuan,
  miniMax,
  mistral,
  groq,
  ollama,
  zeroOneAi,
  stepFun,
  aws,
  coze,
  cohere,
  deepSeek,
  cloudflare,
  deepl,
  together,
  volcano,
  novita,
  vertexAi,
  proxy,
  siliconFlow,
  xAi,
  replicate,
  qianfan,
  sparkV2,
  bailian,
  openAiCompatible,
  geminiOpenAi,
  fireworks,
  nvidia,
  cerebras,
  deepInfra,
  jina,
  perplexity,
] as const satisfies readonly ProviderKind[]

/** Undefined for an unknown code. */
export function kindOf(code: number): ProviderKind | undefined {
  return BY_CODE.get(code)
}

const BY_CODE: ReadonlyMap<number, ProviderKind> = new Map(KINDS.map((kind) => [kind.code, kind]))
