import { expect, test } from 'vitest'
import { isBodyRefusal } from '../../body-refusal.ts'
import type { JsonObject } from '../../json-value.ts'
import { decodeSummaryRequest, latestMessages, summaryText } from './summary-request.ts'

function decoded(body: JsonObject) {
  const request = decodeSummaryRequest({ model: 'm', ...body })
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  return request
}

const user = (content: unknown) => ({ type: 'message', role: 'user', content })
const CALL = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' }
const OUTPUT = { type: 'function_call_output', call_id: 'c1', output: 'seen' }

test('a request for a summary asks last, wants no call and no format', () => {
  const request = decoded({
    input: [user('Hi'), { type: 'compaction_trigger' }],
    tools: [{ type: 'function', name: 'own', parameters: {} }],
    tool_choice: { type: 'function', name: 'own' },
    text: { format: { type: 'json_object' } },
  })
  expect(request.turns.map(({ role }) => role)).toEqual(['user', 'user'])
  expect(JSON.stringify(request.turns.at(-1))).toContain('summary')
  expect(request).toMatchObject({ toolChoice: { mode: 'none' }, tools: [{ name: 'own' }] })
  expect(request.format).toBeUndefined()
  expect(request.extra.fields).not.toHaveProperty('tool_choice')
})

test('tools that were called are named where the request names none', () => {
  const { tools, toolChoice } = decoded({ input: [user('Hi'), CALL, OUTPUT, { ...CALL, call_id: 'c2' }] })
  expect(tools).toEqual([{ name: 'look', schema: { type: 'object' } }])
  expect(toolChoice).toEqual({ mode: 'none' })
  expect(decoded({ input: 'Hi' })).toMatchObject({ tools: [], toolChoice: undefined })
})

test('the latest messages of the user are kept, as far as they fit, without pictures and earlier summaries', () => {
  const [long, longer] = ['a'.repeat(40_000), 'b'.repeat(40_000)]
  const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
  const input = [
    user(longer),
    user(summaryText('before')),
    user(long),
    CALL,
    OUTPUT,
    user([picture, { type: 'input_text', text: 'See?' }]),
    user([picture]),
  ]
  expect(latestMessages(decoded({ input }))).toEqual([long, 'See?'])
})
