import type { Capabilities } from '@sluice/contract/price-list'
import { describe, expect, it } from 'vitest'
import type { ChatMessage, MessageContent } from './message.ts'
import { DEFAULT_PARAMETERS, NO_CAPABILITIES, type Parameters } from './parameters.ts'
import { requestBody } from './request-body.ts'

let count = 0
function message(role: ChatMessage['role'], content: MessageContent): ChatMessage {
  return { id: `m${(count += 1)}`, parent: null, role, content, reasoning_content: 'thought', timestamp: 1 }
}

function body(path: readonly ChatMessage[], takes: Partial<Capabilities> = {}, parameters: Partial<Parameters> = {}) {
  return requestBody(path, 'm-1', {
    capabilitiesOf: () => ({ ...NO_CAPABILITIES, ...takes }),
    parameters: { ...DEFAULT_PARAMETERS, systemMessage: '', ...parameters },
  })
}

const ALL = Object.fromEntries(Object.keys(NO_CAPABILITIES).map((name) => [name, true])) as Capabilities
const hello = message('user', 'Hello')
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const

describe('the body of a question', () => {
  it(
    'holds messages, model, temperature, max_tokens and stream, and nothing that the model does not accept',
    { tags: ['C7.16', 'C5.11'] },
    () => {
      expect(body([hello])).toEqual({
        messages: [{ role: 'user', content: 'Hello' }],
        model: 'm-1',
        temperature: 0.7,
        max_tokens: 4_096,
        stream: true,
      })
    },
  )

  it('holds every optional parameter that the model accepts', { tags: ['C7.16', 'C5.11'] }, () => {
    const set = { stopSequences: 'END', thinkingEnabled: true, reasoningEffort: 'low', topK: 7 } as const
    expect(body([hello], ALL, set)).toMatchObject({
      top_p: 1,
      max_completion_tokens: 4_096,
      top_k: 7,
      frequency_penalty: 0,
      presence_penalty: 0,
      stop: ['END'],
      reasoning_effort: 'low',
      thinking: { type: 'enabled', budget_tokens: 10_000 },
    })
  })

  it('leaves reasoning effort out when it is none, and thinking unless it is on', { tags: 'C5.11' }, () => {
    const quiet = body([hello], ALL, { reasoningEffort: 'none', thinkingEnabled: false })
    expect(quiet).not.toHaveProperty('reasoning_effort')
    expect(quiet).not.toHaveProperty('thinking')
  })

  it('gives thinking at least 1024 tokens', { tags: 'C5.11' }, () => {
    const thinking = body([hello], ALL, { thinkingEnabled: true, thinkingBudgetTokens: 3 })['thinking']
    expect(thinking).toEqual({ type: 'enabled', budget_tokens: 1_024 })
  })

  it('splits stop sequences on commas, trimmed, without empty ones', { tags: 'C5.8' }, () => {
    expect(body([hello], ALL, { stopSequences: ' END , ,\n\n,###' })['stop']).toEqual(['END', '###'])
    expect(body([hello], ALL, { stopSequences: ' , ' })).not.toHaveProperty('stop')
  })
})

describe('the messages of a question', () => {
  it('begin with the system message, unless it is blank or the conversation has one', { tags: 'C5.9' }, () => {
    const first = { role: 'system', content: 'Be short.' }
    expect(body([hello], {}, { systemMessage: 'Be short.' })['messages']).toEqual([
      first,
      { role: 'user', content: 'Hello' },
    ])
    expect(body([hello], {}, { systemMessage: ' \n' })['messages']).toHaveLength(1)
    const own = body([message('system', 'Be long.'), hello], {}, { systemMessage: 'Be short.' })
    expect(own['messages']).toEqual([
      { role: 'system', content: 'Be long.' },
      { role: 'user', content: 'Hello' },
    ])
  })

  it('exclude errors and replies without content', { tags: 'C5.10' }, () => {
    const path = [
      hello,
      message('error', 'It broke.'),
      hello,
      message('assistant', ''),
      hello,
      message('assistant', 'Hi'),
    ]
    expect(body(path)['messages']).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ])
  })

  it('are plain strings when there is only text, lists of parts otherwise', { tags: 'C5.12' }, () => {
    const onlyText = message('user', [{ type: 'text', text: 'What is it?' }])
    const both = message('user', [image, { type: 'text', text: 'And this?' }])
    const onlyImage = message('user', [image])
    expect(body([onlyText, both, onlyImage])['messages']).toEqual([
      { role: 'user', content: 'What is it?' },
      { role: 'user', content: [{ type: 'text', text: 'And this?' }, image] },
      { role: 'user', content: [image] },
    ])
  })
})
