import { bailian, qianwen } from './alibaba.ts'
import { anthropic } from './anthropic.ts'
import { custom, ollama, openAiCompatible } from './any-server.ts'
import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { qianfan, wenxin } from './baidu.ts'
import { baichuan, fastGpt, miniMax, moonshot, stepFun, volcano, zeroOneAi, zhinao, zhipu } from './chinese-vendors.ts'
import { cloudflare } from './cloudflare.ts'
import { cohere } from './cohere.ts'
import { deepSeek } from './deepseek.ts'
import { gemini, geminiOpenAi, palm, vertexAi } from './google.ts'
import { cerebras, deepInfra, fireworks, groq, novita, nvidia, siliconFlow, together } from './hosts.ts'
import { spark, sparkV2 } from './iflytek.ts'
import type { ProviderKind } from './kind.ts'
import { aigc2d, aiLs, aiProxy, api2d, api2gpt, closeAi, ohMyGpt, openAi, openAiMax, openAiSb } from './openai.ts'
import { openRouter } from './openrouter.ts'
import { aiProxyLibrary, coze, deepl, proxy, replicate } from './own-dialects.ts'
import { hunyuan } from './tencent.ts'
import { jina, mistral, perplexity } from './western-vendors.ts'
import { xAi } from './xai.ts'

/**
 * Every provider kind, by code. Codes are the family's: 1 to 51 are those of songquanpeng/one-api and Laisky, 54 and above begin
 * with Laisky's own; 52 and 53 stay free, because Laisky uses them for channels that are Claude-compatible or Copilot.
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

export function kindOf(code: number): ProviderKind | undefined {
  return BY_CODE.get(code)
}

const BY_CODE: ReadonlyMap<number, ProviderKind> = new Map(KINDS.map((kind) => [kind.code, kind]))
