interface BatchRule {
  readonly kinds: readonly number[]
  /** Matched against the provider's lower-case model name; absent for all models. The first matching rule decides. */
  readonly models?: RegExp
  readonly most: number
  readonly source: string
}

export const BATCH_RULES: readonly BatchRule[] = [
  { kinds: [1, 3], most: 2_048, source: 'OpenAI: Embeddings, input; Microsoft: Azure OpenAI embeddings' },
  {
    kinds: [11, 24, 51],
    most: 100,
    source: 'Google’s refusal “at most 100 requests can be in one batch”; Gemini API reference, batchEmbedContents',
  },
  { kinds: [42], models: /^gemini-embedding/, most: 1, source: 'Google: Vertex AI, get text embeddings, API limits' },
  { kinds: [42], most: 250, source: 'Google: Vertex AI, get text embeddings, API limits' },
  { kinds: [35], most: 96, source: 'Cohere: v2/embed, texts' },
  { kinds: [33], models: /cohere/, most: 96, source: 'AWS: Bedrock, Cohere Embed, texts' },
  { kinds: [33], most: 1, source: 'AWS: Bedrock, Amazon Titan Embeddings, inputText' },
  { kinds: [17, 49], models: /^text-embedding-v[12]/, most: 25, source: 'Alibaba Model Studio: text embedding' },
  {
    kinds: [17, 49],
    most: 10,
    source: 'Alibaba’s refusal “batch size is invalid, it should not be larger than 10”; Model Studio: text embedding',
  },
  { kinds: [44], most: 32, source: 'SiliconFlow’s refusal “input batch size … > maximum allowed batch size 32”' },
  { kinds: [16], most: 64, source: 'Zhipu: text embedding, input' },
  { kinds: [15, 47], models: /^tao-8k/, most: 1, source: 'Baidu Qianfan: embeddings, input' },
  { kinds: [15, 47], most: 16, source: 'Baidu Qianfan: embeddings, input' },
  { kinds: [37], most: 100, source: 'Cloudflare: Workers AI, BGE embeddings, text' },
  { kinds: [57], most: 1_024, source: 'DeepInfra: embeddings, input' },
]

export function mostInputs(kind: number, model: string): number | undefined {
  const name = model.toLowerCase()
  const rule = BATCH_RULES.find(({ kinds, models }) => kinds.includes(kind) && models?.test(name) !== false)
  return rule?.most
}
