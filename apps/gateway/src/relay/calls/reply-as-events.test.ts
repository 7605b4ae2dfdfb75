import { expect, test } from 'vitest'
import { replyAsEvents } from './reply-as-events.ts'

const reply = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 7,
  model: 'm',
  service_tier: 'default',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: {} }] },
    },
  ],
  usage: { prompt_tokens: 1 },
}

function events(wantsUsage: boolean): readonly unknown[] {
  const text = Buffer.from(replyAsEvents(Buffer.from(JSON.stringify(reply)), wantsUsage)).toString()
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => (event === 'data: [DONE]' ? 'done' : (JSON.parse(event.slice('data: '.length)) as unknown)))
}

test('the answer becomes one chunk with the members of the reply', () => {
  expect(events(false)).toEqual([
    {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 7,
      model: 'm',
      service_tier: 'default',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          delta: {
            role: 'assistant',
            content: null,
            tool_calls: [{ index: 0, id: 'a', type: 'function', function: {} }],
          },
        },
      ],
    },
    'done',
  ])
})

test('the usage follows only when it was requested', () => {
  expect(events(true)[1]).toMatchObject({ choices: [], usage: { prompt_tokens: 1 } })
})
