import { expect, test } from 'vitest'
import { responsesFormat } from './client-format.ts'

test.each([
  [null, 'server_error'],
  ['503', '503'],
  ['overloaded', 'overloaded'],
])('an error with the code %s inside a stream has the text %s for it, which clients require', (code, encoded) => {
  const bytes = responsesFormat.encodeStreamError({ message: 'No', type: 'server_error', code }, 500, 'r1')
  const event: unknown = JSON.parse(/^data: (.*)$/m.exec(new TextDecoder().decode(bytes))?.[1] ?? '')
  expect(event).toMatchObject({
    type: 'error',
    code: encoded,
    message: 'No (request id: r1)',
    error: { code: encoded },
  })
})
