import { expect, test } from 'vitest'
import { Losses, lossesText } from '../losses.ts'
import type { Part, ToolResultPart, Turn } from '../parts.ts'
import type { CanonRequest } from '../request.ts'
import { type CallRules, withPairedCalls } from './paired-calls.ts'

const said = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ kind: 'text', text }] })
const calls = (...ids: readonly string[]): Turn => ({
  role: 'assistant',
  parts: ids.map((id) => ({ kind: 'tool-call', id, name: `tool-${id}`, args: '{}' })),
})
const result = (callId: string, text = `of ${callId}`): ToolResultPart => ({
  kind: 'tool-result',
  callId,
  parts: [{ kind: 'text', text }],
})
const results = (...ids: readonly string[]): Turn => ({ role: 'tool', parts: ids.map((id) => result(id)) })

function paired(turns: readonly Turn[], rules: CallRules = {}) {
  const request: CanonRequest = {
    model: 'm',
    stream: false,
    system: [],
    turns,
    tools: [],
    builtins: [],
    sampling: {},
    extra: { dialect: 'openai-responses', fields: {} },
  }
  const losses = new Losses()
  const fitted = withPairedCalls(request, rules, losses)
  return { turns: fitted.turns, isSame: fitted === request, lost: lossesText(losses.list()) }
}

/** One line per turn. */
const lines = (turns: readonly Turn[]) => turns.map(({ role, parts }) => `${role}: ${parts.map(word).join(' ')}`)

function word(part: Part): string {
  if (part.kind === 'tool-call') return `${part.name}#${part.id}`
  if (part.kind === 'tool-result') return `${part.callId}=${part.parts.map(word).join('+')}`
  return part.kind === 'text' ? part.text : part.kind
}

test('a conversation in order is left as it is', () => {
  const turns = [said('user', 'a'), calls('1', '2'), results('2', '1'), said('assistant', 'b'), said('user', 'c')]
  expect(paired(turns)).toStrictEqual({ turns, isSame: true, lost: '' })
})

test('what was said between a call and its result comes after the result', () => {
  const turns = [calls('1', '2'), said('system', 'hook'), results('2'), said('user', 'faster'), results('1')]
  const { turns: fitted, lost } = paired(turns)
  expect(lines(fitted)).toStrictEqual([
    'assistant: tool-1#1 tool-2#2',
    'tool: 2=of 2 1=of 1',
    'system: hook',
    'user: faster',
  ])
  expect(lost).toBe('messages changed')
})

test('calls of one answer in several messages are answered after the last of them', () => {
  const { turns, lost } = paired([calls('1'), calls('2'), said('assistant', 'Wait.'), results('1', '2')])
  expect(lines(turns)).toStrictEqual(['assistant: tool-1#1 tool-2#2 Wait.', 'tool: 1=of 1 2=of 2'])
  expect(lost).toBe('')
})

test('a hook between two calls of one answer keeps its place behind the first result', () => {
  const { turns } = paired([calls('1'), said('system', 'hook'), calls('2'), results('1', '2')])
  expect(lines(turns)).toStrictEqual([
    'assistant: tool-1#1',
    'tool: 1=of 1',
    'system: hook',
    'assistant: tool-2#2',
    'tool: 2=of 2',
  ])
})

test('a call that was never answered gets a result that says so', () => {
  const { turns, lost } = paired([calls('1', '2'), results('2'), said('user', 'go on')], { namesResults: true })
  expect(lines(turns)).toStrictEqual([
    'assistant: tool-1#1 tool-2#2',
    'tool: 2=of 2 1=This call has no result: it was not answered.',
    'user: go on',
  ])
  expect(turns[1]?.parts.map((part) => (part.kind === 'tool-result' ? part.name : ''))).toStrictEqual([
    'tool-2',
    'tool-1',
  ])
  expect(lost).toBe('messages changed')
})

test('results that no call waits for become messages: without a call, a second time, too late', () => {
  const { turns } = paired([
    { role: 'tool', parts: [{ ...result('0'), name: 'gone', isError: true }] },
    calls('1', '2'),
    { role: 'tool', parts: [result('1'), result('1', 'again')] },
    said('assistant', 'Done.'),
    results('2'),
  ])
  expect(lines(turns)).toStrictEqual([
    'user: Error of gone for the call 0: of 0',
    'assistant: tool-1#1 tool-2#2',
    'tool: 1=of 1 2=This call has no result: it was not answered.',
    'user: Result of tool-1 for the call 1: again',
    'assistant: Done.',
    'user: Result of tool-2 for the call 2: of 2',
  ])
})

test('calls that share an id are told apart, and each result stays with its call', () => {
  const again = [calls('0'), results('0')]
  const { turns, lost } = paired([...again, calls('0', '0'), results('0', '0'), calls('0_2'), results('0_2')])
  expect(lines(turns)).toStrictEqual([
    'assistant: tool-0#0',
    'tool: 0=of 0',
    'assistant: tool-0#0_2 tool-0#0_3',
    'tool: 0_2=of 0 0_3=of 0',
    'assistant: tool-0_2#0_2_2',
    'tool: 0_2_2=of 0_2',
  ])
  expect(lost).toBe('')
})

test('ids become such as the provider takes, short and plain, and stay apart', () => {
  const long = 'x'.repeat(80)
  const ids = ['functions.f:0', 'functions_f:0', long, `${long}y`, '']
  const { turns } = paired([calls(...ids), results(...ids)], { ids: { limit: 40, isPlain: true } })
  const given = turns[0]?.parts.map((part) => (part.kind === 'tool-call' ? part.id : '')) ?? []
  expect(new Set(given).size).toBe(ids.length)
  for (const id of given) expect(id).toMatch(/^[\w-]{1,40}$/)
  expect(turns[1]?.parts.map((part) => (part.kind === 'tool-result' ? part.callId : ''))).toStrictEqual(given)
})

test('a client of the provider’s own dialect may leave calls and results alone', () => {
  const turns = [results('0'), calls('1'), said('user', 'a')]
  expect(lines(paired(turns, { isOwn: true }).turns)).toStrictEqual(lines(turns))
})

test('a hundred thousand calls with one id take no longer than others', { timeout: 20_000 }, () => {
  const ids = Array.from({ length: 100_000 }, () => 'same')
  const [called] = paired([calls(...ids), results(...ids)]).turns
  const given = called?.parts.map((part) => (part.kind === 'tool-call' ? part.id : ''))
  expect(new Set(given).size).toBe(ids.length)
})
