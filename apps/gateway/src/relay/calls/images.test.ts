import { expect, test } from 'vitest'
import { readImageCall } from './images.ts'

test.each(['{}', '{"data":null}', '{"data":"x"}', '{"data":[]}'])(
  'a whole answer without pictures becomes a stream without any: %s',
  (body) => {
    const call = readImageCall(Buffer.from('{"model":"m","prompt":"a lock","stream":true}'))
    if ('code' in call) throw new Error(call.code)
    expect(call.asEvents(Buffer.from(body)).length).toBe(0)
  },
)
