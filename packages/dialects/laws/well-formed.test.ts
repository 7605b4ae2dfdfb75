import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerEvent } from '../src/canon/events.ts'
import { answers } from './arbitrary/answers.ts'
import { faultOf } from './well-formed.ts'

const START: AnswerEvent = { type: 'start', id: '', model: '' }
const FINISH: AnswerEvent = { type: 'finish', reason: 'stop', raw: 'stop' }
const text = (block: number): AnswerEvent => ({ type: 'text', block, delta: 'x' })
const tool = (block: number): AnswerEvent => ({ type: 'tool-start', block, id: 'c', name: 'f' })
const end = (block: number): AnswerEvent => ({ type: 'block-end', block })

test('generated answers are in order', () => {
  fc.assert(
    fc.property(answers(new Set(['reasoning', 'refusal', 'tools', 'citations'])), ({ events }) => {
      expect(faultOf(events, true)).toBeUndefined()
    }),
  )
})

test.each<readonly [string, readonly AnswerEvent[]]>([
  ['no start', [text(0)]],
  ['two starts', [START, START]],
  ['a block that skips a number', [START, text(1)]],
  ['a block that goes on after its end', [START, text(0), end(0), text(0)]],
  ['two kinds in one block', [START, text(0), { type: 'reasoning', block: 0, delta: 'x' }]],
  ['texts that overlap', [START, text(0), text(1)]],
  ['text in the middle of a call', [START, tool(0), text(1)]],
  ['arguments before a name', [START, { type: 'tool-args', block: 0, delta: '{' }]],
  ['an end while a block is open', [START, text(0), FINISH]],
  [
    'anything after the end',
    [START, FINISH, { type: 'usage', report: { counts: undefined, reportedNanoUsd: 1, own: {} } }],
  ],
  ['no end', [START, text(0), end(0)]],
])('%s is detected', (_, events) => {
  expect(faultOf(events, true)).toBeDefined()
})

test('overlapping calls are allowed', () => {
  expect(faultOf([START, tool(0), tool(1), end(0), end(1), FINISH], true)).toBeUndefined()
})
