import { expect, test } from 'vitest'
import { kindOf } from '../kinds/all.ts'
import { adaptersOf } from './adapters.ts'

function reached(code: number, endpoint: string, model: string): string | undefined {
  const kind = kindOf(code)
  if (kind === undefined) throw new Error(`no kind ${code}`)
  const setup = { kind, baseUrl: '', config: {}, other: '', key: 'AK|SK|eu-west-1', inferenceProfileArnMap: null }
  const adapters = adaptersOf(setup)
  if ('problem' in adapters) throw new Error(adapters.problem)
  const adapter = adapters.adapter({ endpoint, path: `/v1/${endpoint}`, dialect: undefined }, model)
  if (adapter === undefined) return undefined
  const { origin, path } = adapter.address(false)
  return `${adapter.form.kind} ${origin}${path}`
}

const GEMINI = 'https://generativelanguage.googleapis.com/v1beta/models'
const BEDROCK = 'https://bedrock-runtime.eu-west-1.amazonaws.com/model'

test.each([
  [35, 'embeddings', 'embed-v4.0', 'convert https://api.cohere.com/v2/embed'],
  [35, 'rerank', 'rerank-v3.5', 'convert https://api.cohere.com/v2/rerank'],
  [33, 'embeddings', 'amazon.titan-embed-text-v2:0', `convert ${BEDROCK}/amazon.titan-embed-text-v2%3A0/invoke`],
  [33, 'rerank', 'cohere.rerank-v3-5:0', `convert ${BEDROCK}/cohere.rerank-v3-5%3A0/invoke`],
  [33, 'images_generations', 'amazon.nova-canvas-v1:0', `convert ${BEDROCK}/amazon.nova-canvas-v1%3A0/invoke`],
  [33, 'images_generations', 'stability.sd3-5-large-v1:0', undefined],
  [33, 'audio_speech', 'amazon.nova-sonic-v1:0', undefined],
  [
    24,
    'audio_speech',
    'gemini-2.5-flash-preview-tts',
    `convert ${GEMINI}/gemini-2.5-flash-preview-tts:generateContent`,
  ],
  [24, 'audio_speech', 'gemini-2.5-flash', undefined],
  [44, 'rerank', 'BAAI/bge-reranker-v2-m3', 'pass https://api.siliconflow.cn/v1/rerank'],
  [
    49,
    'rerank',
    'gte-rerank-v2',
    'convert https://dashscope.aliyuncs.com/api/v1/services/rerank/text-rerank/text-rerank',
  ],
])('type %i, %s of %s: %s', (code, endpoint, model, url) => {
  expect(reached(code, endpoint, model)).toBe(url)
})
