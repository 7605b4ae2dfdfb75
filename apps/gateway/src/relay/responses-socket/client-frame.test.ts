import { expect, test } from 'vitest'
import { readClientFrame } from './client-frame.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function bodyOf(frame: string, root?: string, earlier: readonly string[] = []): string {
  const read = readClientFrame(Buffer.from(frame))
  if (read.kind !== 'create') throw new Error(JSON.stringify(read))
  return Buffer.concat(read.body(root, earlier.map(bytes))).toString()
}

test.each([
  ['{"type":"response.create"}', '{"stream":true}'],
  ['{"type":"response.create","model":"m"}', '{"model":"m","stream":true}'],
  ['{"model":"m","type":"response.create"}', '{"model":"m","stream":true}'],
  ['{ "model" : "m" , "type" : "response.create" }', '{ "model" : "m" ,  "stream":true}'],
  ['{"stream":false,"type":"response.create","stream_id":"a"}', '{"stream":true}'],
  [
    '{"a":{"type":1},"type":"response.create","generate":true,"n":1.0,"client_metadata":{"b":[1]},"background":false}',
    '{"a":{"type":1},"n":1.0,"stream":true}',
  ],
  ['{"type":"response.create","previous_response_id":null,"input":"Hi"}', '{"input":"Hi","stream":true}'],
])('%s is the body %s', (frame, body) => {
  expect(bodyOf(frame)).toBe(body)
  expect(JSON.parse(bodyOf(frame))).toMatchObject({ stream: true })
})

test.each([
  ['{"type":"response.create","input":[{"c":1}]}', [{ a: 1 }, { b: 1 }, { c: 1 }]],
  ['{"type":"response.create","input":[]}', [{ a: 1 }, { b: 1 }]],
  ['{"type":"response.create","input":"Hi"}', [{ a: 1 }, { b: 1 }, { type: 'message', role: 'user', content: 'Hi' }]],
  ['{"input":[ {"c":1} , {"d":1} ],"type":"response.create"}', [{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }]],
  ['{"type":"response.create"}', [{ a: 1 }, { b: 1 }]],
  ['{"type":"response.create","model":"m"}', [{ a: 1 }, { b: 1 }]],
  ['{"type":"response.create","input":7}', 7],
])('with earlier items, the input of %s is %j', (frame, input) => {
  expect(JSON.parse(bodyOf(frame, undefined, ['{"a":1}', '{"b":1}']))).toMatchObject({ input, stream: true })
})

test('what stays elsewhere is referred to by its id', () => {
  const frame = '{"type":"response.create","previous_response_id":"r2","input":"Hi"}'
  expect(JSON.parse(bodyOf(frame, 'r1', ['{"a":1}']))).toMatchObject({
    previous_response_id: 'r1',
    input: [{ a: 1 }, {}],
  })
  expect(JSON.parse(bodyOf(frame))).not.toHaveProperty('previous_response_id')
})
