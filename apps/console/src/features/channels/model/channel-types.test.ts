import { describe, expect, it } from 'vitest'
import { CHANNEL_TYPE_OPTIONS, channelTypeName } from './channel-types.ts'

/** Names of the types 1 to 51, in their order, as the specification writes them. */
const NAMES = [
  'OpenAI',
  'API2D proxy',
  'Azure',
  'CloseAI proxy',
  'OpenAI-SB proxy',
  'OpenAI Max proxy',
  'OhMyGPT proxy',
  'Custom',
  'AI.LS proxy',
  'AI Proxy',
  'PaLM2',
  'API2GPT proxy',
  'AIGC2D proxy',
  'Anthropic',
  'Baidu Wenxin',
  'Zhipu',
  'Alibaba Qianwen',
  'iFlytek Spark',
  '360',
  'OpenRouter',
  'AI Proxy knowledge base',
  'FastGPT',
  'Tencent Hunyuan',
  'Gemini',
  'Moonshot',
  'Baichuan',
  'MiniMax',
  'Mistral',
  'Groq',
  'Ollama',
  '01.AI',
  'StepFun',
  'AWS',
  'Coze',
  'Cohere',
  'DeepSeek',
  'Cloudflare',
  'DeepL',
  'together.ai',
  'ByteDance Volcano',
  'Novita',
  'VertexAI',
  'Proxy',
  'SiliconFlow',
  'xAI',
  'Replicate',
  'Baidu V2',
  'Spark V2',
  'Alibaba Bailian',
  'OpenAI Compatible',
  'Gemini OpenAI format',
]

describe('channel types', () => {
  it('are the codes 1 to 51 by their names', { tags: 'B3.6' }, () => {
    const named = CHANNEL_TYPE_OPTIONS.toSorted((a, b) => Number(a.value) - Number(b.value))
    expect(named.slice(0, NAMES.length).map(({ value, label }) => `${value} ${label}`)).toEqual(
      NAMES.map((name, index) => `${index + 1} ${name}`),
    )
  })

  it.each([
    [1, 'OpenAI'],
    [99, '#99'],
  ])('%d is %s', (type, name) => {
    expect(channelTypeName(type)).toBe(name)
  })
})
