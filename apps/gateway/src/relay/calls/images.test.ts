import { isRefusal } from '@sluice/contract/errors'
import { expect, test } from 'vitest'
import { readImageCall } from './images.ts'

test.each(['{}', '{"data":null}', '{"data":"x"}', '{"data":[]}'])(
  'a whole answer without pictures becomes a stream without any: %s',
  (body) => {
    const call = readImageCall(Buffer.from('{"model":"m","prompt":"a lock","stream":true}'))
    if (isRefusal(call)) throw new Error(call.code)
    expect(call.asEvents(Buffer.from(body)).length).toBe(0)
  },
)
