import { expect, test, vi } from 'vitest'
import { readMessagesRequest } from './anthropic/request.ts'
import { isBodyRefusal } from './body-refusal.ts'
import { identifyChat } from './openai-chat/identify.ts'
import { JsonWalker } from './splice/json-walker.ts'

const encode = (value: object) => new TextEncoder().encode(JSON.stringify(value))
const messages = (content: unknown) =>
  readMessagesRequest(encode({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] }))
const upload = (file_id: unknown) => ({ type: 'container_upload', file_id })

function found(request: ReturnType<typeof messages>) {
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  return request.references
}

test('names are found where blocks are inside tool results and documents', () => {
  const document = { type: 'document', source: { type: 'content', content: [upload('file_2')] } }
  const result = { type: 'tool_result', content: [upload('file_1'), document] }
  expect(found(messages([result]))).toEqual([
    { id: 'file_1', field: 'messages[0].content[0].content[0].file_id' },
    { id: 'file_2', field: 'messages[0].content[0].content[1].source.content[0].file_id' },
  ])
})

test('lists in lists are read once, however deep they are', { tags: 'S27' }, () => {
  let content: unknown = [upload('file_1'), ...Array<number>(1_000).fill(1)]
  for (let depth = 0; depth < 200; depth++) content = [content]
  const walks = vi.spyOn(JsonWalker.prototype, 'skipValue')
  expect(found(messages(content))).toMatchObject([{ id: 'file_1' }])
  const { length } = walks.mock.calls
  walks.mockRestore()
  expect(length).toBeLessThan(5_000)
})

test('what is only mentioned is not looked up, wherever its type is', () => {
  const made = { file_id: 'file_1', type: 'code_execution_output' }
  expect(found(messages([{ type: 'tool_result', content: [made, upload('file_2')] }]))).toEqual([
    { id: 'file_2', field: 'messages[0].content[0].content[1].file_id' },
  ])
})

test('blocks in blocks are followed only to a limit', { tags: 'S27' }, () => {
  let block: object = upload('file_1')
  for (let i = 0; i < 30; i++) block = { type: 'tool_result', content: [block] }
  expect(messages([block])).toMatchObject({ code: 'invalid_body', params: { rule: expect.stringContaining('nested') } })
})

test('more names than any request has are refused, and so is a name that is not an id', { tags: 'S27' }, () => {
  expect(found(messages(Array.from({ length: 1_000 }, (_, i) => upload(`file_${i}`))))).toHaveLength(1_000)
  expect(messages(Array.from({ length: 1_001 }, (_, i) => upload(`file_${i}`)))).toMatchObject({ code: 'invalid_body' })
  expect(messages([upload('x'.repeat(257))])).toMatchObject({ field: 'messages[0].content[0].file_id' })
  expect(messages([upload('')])).toMatchObject({ field: 'messages[0].content[0].file_id' })
})

test.each([
  ['https://example.com/a.png', false],
  ['http://storage.googleapis.com/public/a.png', false],
  ['data:image/png;base64,AAAA', false],
  ['iVBORw0KGgo=', false],
  ['not an address', false],
  ['gs://bucket/a', true],
  [' GS://bucket/a', true],
  ['s3://bucket/a', true],
  ['ms://file', true],
  ['files/abc', true],
  ['https://generativelanguage.googleapis.com/v1beta/files/a', true],
  ['HTTPS://user@GenerativeLanguage.googleapis.com.:443/v1beta/files/a', true],
  ['https://us-central1-aiplatform.googleapis.com/v1/x', true],
])('%s can only be opened with the account: %s', { tags: 'S50' }, (url, isStored) => {
  const content = [{ type: 'image_url', image_url: { url } }]
  const request = identifyChat(encode({ model: 'm', messages: [{ role: 'user', content }] }))
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  expect(request.references).toHaveLength(isStored ? 1 : 0)
})
