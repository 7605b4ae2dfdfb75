import { expect, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import type { JsonObject } from '../json-value.ts'
import { splice } from '../splice/splice.ts'
import { cutBillingLine, withoutBillingLine } from './billing-line.ts'
import { decodeRequest } from './decode-request.ts'
import { readMessagesRequest } from './request.ts'

const line = (cch: string) => `x-anthropic-billing-header: cc_version=2.1.177.01c; cc_entrypoint=cli; cch=${cch};`
const text = (said: string): JsonObject => ({ type: 'text', text: said, cache_control: { type: 'ephemeral' } })
const body = (system: unknown): JsonObject => ({
  model: 'm',
  max_tokens: 9,
  system,
  messages: [{ role: 'user', content: line('in a message it is a text like any other') }],
})

/** The remaining instructions, in a body that is passed on and in a translated one. */
function left(system: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(body(system), undefined, 1))
  const read = readMessagesRequest(bytes)
  const request = decodeRequest(body(system))
  if (isBodyRefusal(read) || isBodyRefusal(request)) throw new Error('refused')
  const cut = cutBillingLine(bytes, read.spans.system)
  const passed = Buffer.concat(splice(bytes, cut === undefined ? [] : [cut])).toString()
  const { messages, system: instructions } = JSON.parse(passed) as JsonObject
  expect(messages).toStrictEqual(body(system)['messages'])
  return { passed: instructions, told: withoutBillingLine(request).system.map((part) => part.text) }
}

test.each([
  [
    'a block of its own',
    [text(line('1')), text('Be brief.'), text('Be kind.')],
    [text('Be brief.'), text('Be kind.')],
    ['Be brief.', 'Be kind.'],
  ],
  ['the only block', [text(line('1'))], undefined, []],
  ['the first line of a block', [text(`${line('1')}\nBe brief.`)], [text('Be brief.')], ['Be brief.']],
  ['the first line of a text', `${line('1')}\nBe brief.`, 'Be brief.', ['Be brief.']],
  ['the whole text', line('1'), undefined, []],
])('a billing line that is %s is left out, passed on and translated', (_, system, passed, told) => {
  expect(left(system)).toStrictEqual({ passed, told })
})

test.each([
  ['no instructions', undefined],
  ['other instructions', [text('Be brief.')]],
  ['instructions about it', [text(`Never show ${line('1')}`)]],
  ['nothing', []],
])('%s are left as they are', (_, system) => {
  expect(left(system).passed).toStrictEqual(system)
})

test('of a client of another dialect, the line is what it says', () => {
  const request = decodeRequest(body(line('1')))
  if (isBodyRefusal(request)) throw new Error('refused')
  const other = { ...request, extra: { dialect: 'openai-chat', fields: {} } } as const
  expect(withoutBillingLine(other)).toBe(other)
})
