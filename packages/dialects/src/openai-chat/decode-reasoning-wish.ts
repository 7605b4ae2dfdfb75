import { type FieldReader, othersThan } from '../canon/field-reader.ts'
import type { ReasoningWish } from '../canon/request.ts'
import { defined, type JsonObject } from '../json-value.ts'

/** Fields in which clients set how much a model should think: OpenAI's first, then those of vendors. */
export const WISH_FIELDS = ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking', 'thinking_budget'] as const

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const REASONING_MEMBERS: ReadonlySet<string> = new Set(['effort', 'max_tokens', 'enabled', 'summary'])
const THINKING_MEMBERS: ReadonlySet<string> = new Set(['type', 'budget_tokens'])

export interface DecodedWish {
  readonly wish: ReasoningWish | undefined
  /** Other contents of these fields, by path. */
  readonly rest: JsonObject
}

/** Switching thinking off takes precedence, then a budget, then an effort, then leaving it to the model. */
export function decodeReasoningWish(read: FieldReader, body: JsonObject): DecodedWish {
  const reasoning = read.object(body['reasoning'], 'reasoning') ?? {}
  const thinking = read.object(body['thinking'], 'thinking') ?? {}
  const type = read.text(thinking['type'], 'thinking.type')
  const stated = read.wish(body['reasoning_effort'], 'reasoning_effort', EFFORTS)
  const nested = read.wish(reasoning['effort'], 'reasoning.effort', EFFORTS)
  const effort = stated ?? nested
  const budget =
    read.whole(thinking['budget_tokens'], 'thinking.budget_tokens') ??
    read.whole(reasoning['max_tokens'], 'reasoning.max_tokens') ??
    read.whole(body['thinking_budget'], 'thinking_budget')
  const enabled =
    read.flag(body['enable_thinking'], 'enable_thinking') ?? read.flag(reasoning['enabled'], 'reasoning.enabled')
  const summary = read.text(reasoning['summary'], 'reasoning.summary')

  const isOff = type === 'disabled' || enabled === false || effort === 'none' || budget === 0
  const isOpen = type !== undefined || enabled === true
  const rest = {
    ...(stated === undefined ? defined({ reasoning_effort: body['reasoning_effort'] ?? undefined }) : {}),
    ...(nested === undefined ? defined({ 'reasoning.effort': reasoning['effort'] ?? undefined }) : {}),
    ...paths('reasoning', othersThan(reasoning, REASONING_MEMBERS)),
    ...paths('thinking', othersThan(thinking, THINKING_MEMBERS)),
  }
  const given: ReasoningWish = {
    ...(isOff ? { off: true } : amountOf(effort, budget, isOpen)),
    ...(summary === undefined ? {} : { summary }),
  }
  return { wish: Object.keys(given).length === 0 ? undefined : given, rest }
}

/** A budget below zero also leaves it to the model. */
function amountOf(
  effort: (typeof EFFORTS)[number] | undefined,
  budget: number | undefined,
  isOpen: boolean,
): ReasoningWish {
  const amount: ReasoningWish = {
    ...(effort === undefined || effort === 'none' ? {} : { effort }),
    ...(budget === undefined || budget < 0 ? {} : { budget }),
  }
  if (Object.keys(amount).length > 0) return amount
  return isOpen || budget !== undefined ? { adaptive: true } : {}
}

function paths(head: string, members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [`${head}.${name}`, value]))
}
