import { describe, expect, test } from 'vitest'
import { plainCounts } from '../calls/parsed-call.ts'
import { UnseenOutput } from './unseen-output.ts'

const RATES = { input: 1n, cachedInput: 1n, cacheWrite5m: 1n, cacheWrite1h: 1n, output: 1n }

type Asking = Parameters<UnseenOutput['of']>[0]

function asking(model: string, more: object = {}): Asking {
  const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: 'thinking' }], ...more }))
  const candidate = { upstreamModel: model, quote: { rates: RATES }, route: { channel: { id: 1 } } }
  return { parsed: { hasText: true }, kind: { body: 'json' }, body, candidate } as unknown as Asking
}

const reported = (bytes: number) => ({ bytes: bytes * 100, shown: () => bytes })

describe('what a request asks for', () => {
  test.each([
    [{}, 'nothing'],
    [{ reasoning_effort: 'low' }, 'thoughts'],
    [{ reasoning_effort: 'none' }, 'nothing'],
    [{ reasoning: { effort: 'high' } }, 'thoughts'],
    [{ reasoning: { effort: 'none' } }, 'nothing'],
    [{ reasoning: null }, 'nothing'],
    [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, 'thoughts'],
    [{ thinking: { type: 'disabled' } }, 'nothing'],
    [{ enable_thinking: false }, 'nothing'],
    [{ generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } }, 'thoughts'],
    [{ generation_config: { thinking_config: { thinking_level: 'low' } } }, 'thoughts'],
    [{ generation_config: { response_modalities: ['IMAGE'] } }, 'more'],
    // Read one level deep: otherwise a body could be nested so that inspecting it takes seconds.
    [{ generationConfig: { generationConfig: { thinkingConfig: {} } } }, 'nothing'],
    [{ generationConfig: { temperature: 1 } }, 'nothing'],
    [{ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }, 'more'],
    [{ modalities: ['text'] }, 'nothing'],
    [{ modalities: ['text', 'audio'], audio: { voice: 'alloy' } }, 'more'],
    [{ prediction: { type: 'content', content: 'all of it' } }, 'more'],
    [{ web_search_options: {} }, 'more'],
    [{ tools: [{ type: 'function', function: { name: 'look' } }] }, 'nothing'],
    [{ tools: [{ name: 'look', input_schema: {} }] }, 'nothing'],
    [{ tools: [{ functionDeclarations: [{ name: 'look' }] }] }, 'nothing'],
    [{ tools: [{ function_declarations: [{ name: 'look' }] }] }, 'nothing'],
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'more'],
    [{ tools: [{ type: 'function', name: 'look' }, { type: 'image_generation' }] }, 'more'],
    [{ tools: [{ googleSearch: {} }] }, 'more'],
  ])('%o: %s', (more, unseen) => {
    expect(new UnseenOutput().of(asking('gpt-4o', more))).toBe(unseen)
  })

  test('an answer that is not text can hold anything', () => {
    const speech = { ...asking('tts-1'), parsed: { hasText: false } } as unknown as Asking
    expect(new UnseenOutput().of(speech)).toBe('more')
  })
})

test.each([
  ['gpt-4o', 'nothing'],
  ['o3', 'thoughts'],
  ['gpt-5-mini', 'thoughts'],
  ['gpt-5.1', 'nothing'],
  ['claude-sonnet-4-5', 'nothing'],
])('what %s does without being asked is known by its name: %s', (model, unseen) => {
  expect(new UnseenOutput().of(asking(model))).toBe(unseen)
})

describe('a model without a rule', () => {
  test.each([
    ['that told all that it counted', plainCounts(5, 100), reported(400), 'nothing'],
    ['whose reasoning was told', { ...plainCounts(5, 100), reasoning: 80 }, reported(400), 'nothing'],
    ['whose reasoning was not', { ...plainCounts(5, 100), reasoning: 80 }, reported(80), 'thoughts'],
    ['that does not say what was reasoning', plainCounts(5, 1_000), { bytes: 900, shown: () => 20 }, 'thoughts'],
    ['that searched', { ...plainCounts(5, 100), units: { search: 1 } }, reported(400), 'more'],
    ['that counts nothing', undefined, reported(400), 'nothing'],
  ])('is taken to think unseen until a complete answer arrives; then one %s', (_, counts, came, unseen) => {
    const known = new UnseenOutput()
    expect(known.of(asking('home-made'))).toBe('thoughts')
    known.learn(asking('home-made'), counts, came)
    expect(known.of(asking('home-made'))).toBe(unseen)
  })

  test('is not taken for one that thinks just because it was asked to', () => {
    const known = new UnseenOutput()
    known.learn(asking('home-made'), plainCounts(5, 100), reported(400))
    known.learn(asking('home-made', { thinking: { type: 'enabled' } }), plainCounts(5, 1_000), {
      bytes: 900,
      shown: () => 20,
    })
    expect(known.of(asking('home-made'))).toBe('nothing')
  })
})
