import type { ChatDialect } from '@sluice/dialects/canon/parts'
import { isTouched } from '@sluice/dialects/openai-chat/quirks/is-touched'
import { describe, expect, test } from 'vitest'
import type { ChannelSetup } from '../channel-setup.ts'
import { kindOf } from '../kinds/all.ts'
import { adaptersOf } from './adapters.ts'
import type { AdapterCall } from './dialect-endpoints.ts'

const KEYS: Readonly<Record<number, string>> = { 33: 'AK|SK|eu-west-1', 42: 'global|my-project|{}' }

function setup(code: number, more: Partial<ChannelSetup> = {}): ChannelSetup {
  const kind = kindOf(code)
  if (kind === undefined) throw new Error(`no kind ${code}`)
  return { kind, key: KEYS[code] ?? 'k', baseUrl: '', config: {}, other: '', inferenceProfileArnMap: null, ...more }
}

const CHAT: AdapterCall = { endpoint: 'chat_completions', path: '/v1/chat/completions', dialect: 'openai-chat' }
const RESPONSES: AdapterCall = { endpoint: 'response_api', path: '/v1/responses', dialect: 'openai-responses' }
const MESSAGES: AdapterCall = { endpoint: 'claude_messages', path: '/v1/messages', dialect: 'anthropic-messages' }
const EMBEDDINGS: AdapterCall = { endpoint: 'embeddings', path: '/v1/embeddings', dialect: undefined }
const COMPLETIONS: AdapterCall = { endpoint: 'completions', path: '/v1/completions', dialect: 'openai-chat' }

function adapterOf(code: number, call: AdapterCall, model: string, more?: Partial<ChannelSetup>) {
  const adapters = adaptersOf(setup(code, more))
  return 'problem' in adapters ? undefined : adapters.adapter(call, model)
}

/** `pass https://…` or `translate openai-chat https://…`; `problem: …`, or `none`. */
function shown(code: number, call: AdapterCall, model = 'm', more?: Partial<ChannelSetup>, stream = false): string {
  const adapters = adaptersOf(setup(code, more))
  if ('problem' in adapters) return `problem: ${adapters.problem}`
  const adapter = adapters.adapter(call, model)
  if (adapter === undefined) return 'none'
  const { origin, path } = adapter.address(stream)
  const dialect: ChatDialect | '' = adapter.form.kind === 'translate' ? adapter.form.codec.dialect : ''
  return [adapter.form.kind, dialect, origin + path].filter((part) => part !== '').join(' ')
}

describe('both forms of a base URL lead to the same call', () => {
  test.each([
    [1, '', 'https://api.openai.com/v1/chat/completions'],
    [1, '  https://api.openai.com/  ', 'https://api.openai.com/v1/chat/completions'],
    [50, 'https://x.example', 'https://x.example/v1/chat/completions'],
    [50, 'https://x.example/v1', 'https://x.example/v1/chat/completions'],
    [50, 'https://x.example/v1///', 'https://x.example/v1/chat/completions'],
    [50, 'https://x.example/api/paas/v4', 'https://x.example/api/paas/v4/chat/completions'],
    [50, 'https://x.example/compatible-mode/v1', 'https://x.example/compatible-mode/v1/chat/completions'],
    [50, 'https://x.example/v1beta/openai/', 'https://x.example/v1beta/openai/chat/completions'],
    [50, 'https://x.example/openai', 'https://x.example/openai/v1/chat/completions'],
    [50, 'https://x.example/v1/chat/completions', 'https://x.example/v1/chat/completions'],
    [50, 'https://x.example/odd/chat/completions/', 'https://x.example/odd/chat/completions'],
    [50, 'https://x.example/v1?tenant=a', 'https://x.example/v1/chat/completions?tenant=a'],
    [50, 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1/chat/completions'],
    [50, 'https://x.example/vault', 'https://x.example/vault/v1/chat/completions'],
    [
      50,
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai',
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai/chat/completions',
    ],
    [16, '', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [16, 'https://api.z.ai', 'https://api.z.ai/api/paas/v4/chat/completions'],
    [16, 'https://api.z.ai/api/coding/paas/v4', 'https://api.z.ai/api/coding/paas/v4/chat/completions'],
    [25, 'https://api.kimi.com/coding/v1', 'https://api.kimi.com/coding/v1/chat/completions'],
    [
      40,
      'https://ark.cn-beijing.volces.com/api/coding/v3',
      'https://ark.cn-beijing.volces.com/api/coding/v3/chat/completions',
    ],
    [20, '', 'https://openrouter.ai/api/v1/chat/completions'],
    [49, '', 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    [51, '', 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions'],
    [54, '', 'https://api.fireworks.ai/inference/v1/chat/completions'],
    [55, 'https://integrate.api.nvidia.com/v1', 'https://integrate.api.nvidia.com/v1/chat/completions'],
    [56, 'https://api.cerebras.ai/v1', 'https://api.cerebras.ai/v1/chat/completions'],
    [57, '', 'https://api.deepinfra.com/v1/openai/chat/completions'],
    [57, 'https://api.deepinfra.com/v1/openai', 'https://api.deepinfra.com/v1/openai/chat/completions'],
    [61, '', 'https://api.perplexity.ai/chat/completions'],
  ])('%i %j → %s', (code, baseUrl, url) => {
    expect(shown(code, CHAT, 'm', { baseUrl })).toBe(`pass ${url}`)
  })

  test.each([
    ['', 'Base URL is required for this channel type'],
    ['x.example', 'Base URL must be an http or https address'],
    ['file:///etc/passwd', 'Base URL must be an http or https address'],
    ['https://user:secret@x.example', 'Base URL must not contain a user name or password'],
  ])('%j is a problem', (baseUrl, problem) => {
    expect(shown(50, CHAT, 'm', { baseUrl })).toBe(`problem: ${problem}`)
  })
})

test('calls with a different path at a vendor go there, and a vendor without conversations gets none', () => {
  const call = (endpoint: string, path: string): AdapterCall => ({ endpoint, path, dialect: undefined })
  expect(shown(57, MESSAGES)).toBe('pass https://api.deepinfra.com/anthropic/v1/messages')
  expect(shown(57, call('audio_speech', '/v1/audio/speech'))).toBe('pass https://api.deepinfra.com/v1/audio/speech')
  expect(shown(57, call('embeddings', '/v1/embeddings'))).toBe('pass https://api.deepinfra.com/v1/openai/embeddings')
  expect(shown(59, call('rerank', '/v1/rerank'))).toBe('pass https://api.jina.ai/v1/rerank')
  expect([shown(59, CHAT), shown(59, MESSAGES)]).toEqual(['none', 'none'])
})

describe('a vendor’s own paths', () => {
  const account = { config: { user_id: 'acc' } }
  test.each<[number, string, Partial<ChannelSetup>, string]>([
    [37, '@cf/meta/llama', account, 'https://api.cloudflare.com/client/v4/accounts/acc/ai/v1/chat/completions'],
    [
      37,
      'm',
      { baseUrl: 'https://api.cloudflare.com/client/v4/accounts/acc/ai/v1' },
      'https://api.cloudflare.com/client/v4/accounts/acc/ai/v1/chat/completions',
    ],
    [
      37,
      'm',
      { baseUrl: 'https://gateway.ai.cloudflare.com/v1/acc/gw/workers-ai' },
      'https://gateway.ai.cloudflare.com/v1/acc/gw/workers-ai/v1/chat/completions',
    ],
    [40, 'doubao-seed', {}, 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    [40, 'bot-2024', {}, 'https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions'],
    [48, '4.0Ultra', {}, 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
    [48, 'x1', {}, 'https://spark-api-open.xf-yun.com/v2/chat/completions'],
    [
      18,
      'spark-x1.5',
      { baseUrl: 'https://spark-api-open.xf-yun.com/v1' },
      'https://spark-api-open.xf-yun.com/v2/chat/completions',
    ],
  ])('of type %i for %s', (code, model, more, url) => {
    expect(shown(code, CHAT, model, more)).toBe(`pass ${url}`)
  })

  test('need known settings', () => {
    expect(shown(37, CHAT)).toBe('problem: config.user_id is required: the id of the Cloudflare account')
    expect(shown(37, CHAT, 'm', { config: { user_id: '../evil' } })).toMatch(/^problem/)
  })

  test('names of models that only this family of gateways knows become the vendor’s', () => {
    expect(adapterOf(18, CHAT, 'SparkDesk', { other: 'v3.5' })?.adapt?.({ model: 'SparkDesk' }, false)).toEqual({
      model: 'generalv3.5',
    })
    expect(adapterOf(18, CHAT, 'SparkDesk-v4.0')?.adapt?.({}, false)).toEqual({ model: '4.0Ultra' })
    expect(adapterOf(17, CHAT, 'qwen-max-internet')?.adapt?.({ model: 'qwen-max-internet' }, false)).toEqual({
      model: 'qwen-max',
      enable_search: true,
    })
    expect(adapterOf(17, CHAT, 'qwen-max')?.adapt).toBeUndefined()
  })
})

describe('a client is passed through where the provider speaks its dialect', () => {
  test.each<[number, AdapterCall, string]>([
    [1, RESPONSES, 'https://api.openai.com/v1/responses'],
    [1, { ...RESPONSES, path: '/v1/responses/resp_1/cancel' }, 'https://api.openai.com/v1/responses/resp_1/cancel'],
    [14, MESSAGES, 'https://api.anthropic.com/v1/messages'],
    [14, { ...MESSAGES, path: '/v1/messages/count_tokens' }, 'https://api.anthropic.com/v1/messages/count_tokens'],
    [16, MESSAGES, 'https://open.bigmodel.cn/api/anthropic/v1/messages'],
    [20, MESSAGES, 'https://openrouter.ai/api/v1/messages'],
    [25, MESSAGES, 'https://api.moonshot.cn/anthropic/v1/messages'],
    [27, MESSAGES, 'https://api.minimaxi.com/anthropic/v1/messages'],
    [30, MESSAGES, 'http://localhost:11434/v1/messages'],
    [36, MESSAGES, 'https://api.deepseek.com/anthropic/v1/messages'],
    [41, MESSAGES, 'https://api.novita.ai/anthropic/v1/messages'],
    [44, MESSAGES, 'https://api.siliconflow.cn/v1/messages'],
    [45, CHAT, 'https://api.x.ai/v1/chat/completions'],
    [49, MESSAGES, 'https://dashscope.aliyuncs.com/apps/anthropic/v1/messages'],
    [49, RESPONSES, 'https://dashscope.aliyuncs.com/compatible-mode/v1/responses'],
  ])('%i', (code, call, url) => {
    expect(shown(code, call)).toBe(`pass ${url}`)
    expect(adapterOf(code, call, 'm')?.quirks).toEqual(call === CHAT ? kindOf(code)?.quirks : [])
  })

  test('wherever administrators put the base', () => {
    const at = (code: number, baseUrl: string) => shown(code, MESSAGES, 'm', { baseUrl })
    expect(at(16, 'https://api.z.ai/api/coding/paas/v4')).toBe('pass https://api.z.ai/api/anthropic/v1/messages')
    expect(at(14, 'https://api.kimi.com/coding')).toBe('pass https://api.kimi.com/coding/v1/messages')
    expect(at(14, 'https://ark.cn-beijing.volces.com/api/coding')).toBe(
      'pass https://ark.cn-beijing.volces.com/api/coding/v1/messages',
    )
    for (const base of ['https://api.deepseek.com/v1', 'https://api.deepseek.com/beta']) {
      expect(at(36, base)).toBe('pass https://api.deepseek.com/anthropic/v1/messages')
    }
    expect(at(49, 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1')).toBe(
      'pass https://dashscope-intl.aliyuncs.com/apps/anthropic/v1/messages',
    )
  })

  test('and its bytes stay, where only answers differ', () => {
    const adapter = adapterOf(50, CHAT, 'm', { baseUrl: 'https://x.example' })
    expect(adapter).toMatchObject({ form: { kind: 'pass' } })
    expect(
      isTouched(
        adapter?.quirks ?? [],
        () => ({}),
        () => true,
      ),
    ).toBe(false)
    expect(adapter?.adapt).toBeUndefined()
  })
})

describe('a client of another dialect is translated', () => {
  test.each<[number, AdapterCall, string, string]>([
    [1, MESSAGES, 'gpt-6-sol', 'openai-chat https://api.openai.com/v1/chat/completions'],
    [1, MESSAGES, 'o3-pro', 'openai-responses https://api.openai.com/v1/responses'],
    [1, CHAT, 'gpt-5.4-pro', 'openai-responses https://api.openai.com/v1/responses'],
    [1, CHAT, 'gpt-5.3-codex-spark', 'openai-responses https://api.openai.com/v1/responses'],
    [1, CHAT, 'gpt-5.6-cyber', 'openai-responses https://api.openai.com/v1/responses'],
    [45, MESSAGES, 'grok-4.7', 'openai-responses https://api.x.ai/v1/responses'],
    [26, RESPONSES, 'Baichuan4', 'openai-chat https://api.baichuan-ai.com/v1/chat/completions'],
    [26, COMPLETIONS, 'Baichuan4', 'openai-chat https://api.baichuan-ai.com/v1/chat/completions'],
    [
      33,
      CHAT,
      'amazon.nova-pro-v1:0',
      'bedrock-converse https://bedrock-runtime.eu-west-1.amazonaws.com/model/amazon.nova-pro-v1%3A0/converse',
    ],
    [35, CHAT, 'command-a', 'cohere https://api.cohere.com/v2/chat'],
    [
      24,
      CHAT,
      'gemini-4-argon',
      'gemini https://generativelanguage.googleapis.com/v1beta/models/gemini-4-argon:generateContent',
    ],
    [34, CHAT, 'bot-7', 'coze https://api.coze.com/v3/chat'],
    [46, CHAT, 'meta/llama-3', 'replicate https://api.replicate.com/v1/models/meta/llama-3/predictions'],
    [46, CHAT, 'meta/llama-3:abc', 'replicate https://api.replicate.com/v1/predictions'],
    [38, CHAT, 'deepl-en', 'deepl https://api.deepl.com/v2/translate'],
    [23, CHAT, 'hunyuan-turbo', 'openai-chat https://hunyuan.tencentcloudapi.com/'],
    [21, CHAT, 'm', 'library-ask https://api.aiproxy.io/api/library/ask'],
  ])('%i', (code, call, model, expected) => {
    const key = code === 23 ? { key: '1|id|secret' } : {}
    expect(shown(code, call, model, key)).toBe(`translate ${expected}`)
  })

  test('to what the channel says that an unknown server speaks', () => {
    const server = { baseUrl: 'https://x.example', config: { api_format: 'response' } }
    expect(shown(50, CHAT, 'm', server)).toBe('translate openai-responses https://x.example/v1/responses')
    expect(shown(50, RESPONSES, 'm', server)).toBe('pass https://x.example/v1/responses')
    expect(shown(50, RESPONSES, 'm', { baseUrl: 'https://x.example' })).toBe(
      'translate openai-chat https://x.example/v1/chat/completions',
    )
  })

  test('but a call about a conversation is not', () => {
    expect(shown(1, { ...MESSAGES, path: '/v1/messages/count_tokens' })).toBe('none')
    expect(shown(14, { ...RESPONSES, path: '/v1/responses/resp_1' })).toBe('none')
  })
})

describe('Azure', () => {
  const at = (call: AdapterCall, model: string, other: string, baseUrl = 'https://r.openai.azure.com') =>
    shown(3, call, model, { baseUrl, other })

  test.each<[AdapterCall, string, string, string]>([
    [CHAT, 'gpt-4o', '', '/openai/deployments/gpt-4o/chat/completions?api-version=2024-03-01-preview'],
    [CHAT, 'my gpt 4.1', '2024-10-21', '/openai/deployments/my%20gpt%204.1/chat/completions?api-version=2024-10-21'],
    [CHAT, 'gpt-5.4', '2024-10-21', '/openai/v1/chat/completions'],
    [
      CHAT,
      'gpt-5.4',
      '2025-01-01-preview',
      '/openai/deployments/gpt-5.4/chat/completions?api-version=2025-01-01-preview',
    ],
    [CHAT, 'gpt-4o', 'v1', '/openai/v1/chat/completions'],
    [CHAT, 'gpt-4o', 'preview', '/openai/v1/chat/completions?api-version=preview'],
    [RESPONSES, 'gpt-4o', '2024-10-21', '/openai/v1/responses'],
    [EMBEDDINGS, 'ada', '2024-10-21', '/openai/deployments/ada/embeddings?api-version=2024-10-21'],
  ])('%j of %s with version %j', (call, model, other, path) => {
    expect(at(call, model, other)).toBe(`pass https://r.openai.azure.com${path}`)
  })

  test('is recognised by its base as well', () => {
    const base = 'https://r.openai.azure.com/openai/v1/'
    expect(at(CHAT, 'gpt-4o', '2024-10-21', base)).toBe('pass https://r.openai.azure.com/openai/v1/chat/completions')
    expect(at(CHAT, 'gpt-4o', '2024-10-21', 'https://gateway.ai.cloudflare.com/v1/a/g/azure-openai/r/d')).toBe(
      'pass https://gateway.ai.cloudflare.com/v1/a/g/azure-openai/r/d/chat/completions?api-version=2024-10-21',
    )
  })

  test('serves Claude on Foundry in its own dialect', () => {
    expect(at(MESSAGES, 'claude-opus-5', '', 'https://r.services.ai.azure.com')).toBe(
      'pass https://r.services.ai.azure.com/anthropic/v1/messages',
    )
  })
})

describe('Gemini', () => {
  const call: AdapterCall = { endpoint: 'gemini', path: '/v1beta/models/x:streamGenerateContent', dialect: 'gemini' }
  test('names model, action and framing in the path, never the key', () => {
    const base = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3'
    expect(shown(24, call, 'gemini-3')).toBe(`pass ${base}:generateContent`)
    expect(shown(24, call, 'gemini-3', {}, true)).toBe(`pass ${base}:streamGenerateContent?alt=sse`)
    expect(shown(24, { ...call, path: '/v1beta/models/x:countTokens' }, 'gemini-3')).toBe(`pass ${base}:countTokens`)
    expect(shown(24, call, 'gemini-3', { other: 'v1' })).toContain('/v1/models/')
    expect(shown(24, call, 'tunedModels/a')).toContain('/v1beta/tunedModels/a:')
    expect(shown(24, call, 'a/x?')).toContain('/models/a%2Fx%3F:generateContent')
    expect(shown(24, call, '../../x')).toBe('none')
  })
})

describe('Vertex AI', () => {
  const at = (call: AdapterCall, model: string, region = 'global', stream = false) =>
    shown(42, call, model, { key: `${region}|p-1|{}` }, stream)

  test('serves a model in the dialect of its maker', () => {
    const room = 'https://aiplatform.googleapis.com/v1/projects/p-1/locations/global'
    expect(at(CHAT, 'gemini-4-argon')).toBe(
      `translate gemini ${room}/publishers/google/models/gemini-4-argon:generateContent`,
    )
    expect(at(CHAT, 'deepseek-ai/deepseek-v4-maas')).toBe(`pass ${room}/endpoints/openapi/chat/completions`)
    expect(at(MESSAGES, 'claude-sonnet-4-5-20250929', 'global', true)).toBe(
      `pass ${room}/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict`,
    )
    expect(at(CHAT, 'claude-opus-5')).toBe(
      `translate anthropic-messages ${room}/publishers/anthropic/models/claude-opus-5:rawPredict`,
    )
    expect(at(CHAT, 'mistral-large', 'global', true)).toBe(
      `pass ${room}/publishers/mistralai/models/mistral-large:streamRawPredict`,
    )
  })

  test.each([
    ['us-central1', 'https://us-central1-aiplatform.googleapis.com'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
  ])('in %s is at %s', (region, origin) => {
    expect(at(CHAT, 'gemini-3', region)).toContain(` ${origin}/v1/projects/p-1/locations/${region}/`)
  })
})

test('Claude on Bedrock keeps its own body inside InvokeModel', () => {
  const adapter = adapterOf(33, MESSAGES, 'eu.anthropic.claude-opus-5')
  expect(adapter).toMatchObject({ form: { kind: 'pass' }, framing: 'aws-event-stream' })
  expect(adapter?.address(true).path).toBe('/model/eu.anthropic.claude-opus-5/invoke-with-response-stream')
  expect(adapter?.adapt?.({ model: 'm', stream: true, max_tokens: 9 }, true)).toEqual({
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 9,
  })
  expect(shown(33, MESSAGES, 'claude-3-5-sonnet-20240620')).toContain(
    '/model/anthropic.claude-3-5-sonnet-20240620-v1%3A0/',
  )
  expect(shown(33, { ...MESSAGES, path: '/v1/messages/count_tokens' }, 'claude-opus-5')).toBe('none')
})

test('Claude on Vertex AI names its version in the body, where streaming stays', () => {
  expect(adapterOf(42, MESSAGES, 'claude-opus-5')?.adapt?.({ model: 'm', stream: true, max_tokens: 9 }, true)).toEqual({
    anthropic_version: 'vertex-2023-10-16',
    stream: true,
    max_tokens: 9,
  })
})

test('Bedrock streams under another name, and an inference profile stands for its model', () => {
  expect(shown(33, CHAT, 'amazon.nova-pro-v1:0', {}, true)).toMatch(/converse-stream$/)
  const arn = 'arn:aws:bedrock:eu-west-1:1:application-inference-profile/x'
  const more = { inferenceProfileArnMap: JSON.stringify({ nova: arn }) }
  expect(shown(33, CHAT, 'nova', more)).toContain(`/model/${encodeURIComponent(arn)}/converse`)
  expect(shown(33, CHAT, 'a', { key: 'AK|SK|evil.example/' })).toMatch(/^problem/)
})

test('calls that are not conversations go to the models that answer them', () => {
  expect(shown(1, EMBEDDINGS)).toBe('pass https://api.openai.com/v1/embeddings')
  expect(shown(1, COMPLETIONS)).toBe('pass https://api.openai.com/v1/completions')
  expect(shown(36, COMPLETIONS)).toBe('pass https://api.deepseek.com/beta/completions')
  expect(shown(14, EMBEDDINGS)).toBe('none')
  expect(shown(36, EMBEDDINGS)).toBe('none')
  expect(shown(1, { endpoint: 'realtime', path: '/v1/realtime', dialect: undefined }, 'gpt-realtime')).toBe(
    'pass https://api.openai.com/v1/realtime?model=gpt-realtime',
  )
})

test('keys of DeepL’s free service go to its own host', () => {
  expect(shown(38, CHAT, 'deepl-de', { key: 'k:fx' })).toContain('https://api-free.deepl.com/')
  expect(shown(38, CHAT, 'deepl-de', { key: 'k', baseUrl: 'https://api-free.deepl.com' })).toContain('//api.deepl.com/')
  expect(shown(38, CHAT, 'deepl-de', { baseUrl: 'https://mine.example/d' })).toContain('https://mine.example/d/v2/')
})
