import { expect, test } from 'vitest'
import { createFrame } from './create-frame.ts'

const frameOf = (body: string) => Buffer.concat(createFrame(Buffer.from(body))).toString()

test.each([
  ['{"model":"m","input":"x","stream":true}', '{"type":"response.create","model":"m","input":"x"}'],
  ['{"stream":true,"model":"m"}', '{"type":"response.create","model":"m"}'],
  [
    ' { "model" : "m" , "stream" : true , "n" : 1e400 } ',
    ' {"type":"response.create", "model" : "m" ,  "n" : 1e400 } ',
  ],
  ['{"model":"m"}', '{"type":"response.create","model":"m"}'],
  ['{"model":"m","input":[{"stream":true}]}', '{"type":"response.create","model":"m","input":[{"stream":true}]}'],
])('%s', (body, frame) => {
  expect(frameOf(body)).toBe(frame)
})
