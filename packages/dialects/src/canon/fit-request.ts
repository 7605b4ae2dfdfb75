import { mustCall } from './calls/tool-choice.ts'
import type { ModelTraits } from './codec.ts'
import { effortOf, nearestEffort } from './efforts.ts'
import { type Loss, Losses } from './losses.ts'
import type { CanonRequest, ToolChoice } from './request.ts'

export interface FitTarget {
  readonly takes: ModelTraits
  /** The provider has a switch for thinking in addition to an effort. */
  readonly hasSwitch: boolean
}

/** Replaces settings that the model refuses by the nearest accepted ones. Not for clients of the provider's own dialect. */
export function fitRequest(
  request: CanonRequest,
  target: FitTarget,
): { readonly request: CanonRequest; readonly losses: readonly Loss[] } {
  const losses = new Losses()
  const fitted = FITS.reduce((fitting, fit) => fit(fitting, target, losses), request)
  return { request: fitted, losses: losses.list() }
}

type Fit = (request: CanonRequest, target: FitTarget, losses: Losses) => CanonRequest

/** If a call cannot be required while the model thinks, thinking is switched off: the call is more important. */
const fitForcedCall: Fit = (request, { takes, hasSwitch }, losses) => {
  const { toolChoice, reasoning, tools } = request
  if (toolChoice === undefined || tools.length === 0 || !mustCall(toolChoice)) return request
  if (takes.forcedCalls === 'refused') {
    losses.changed('tool_choice')
    return { ...request, toolChoice: offered(toolChoice) }
  }
  const isAsked = reasoning !== undefined && reasoning.off !== true
  if (takes.forcedCalls !== 'unless-thinking' || (!isAsked && !hasSwitch)) return request
  if (isAsked) losses.dropped('reasoning_effort')
  return { ...request, reasoning: { off: true } }
}

function offered(choice: ToolChoice): ToolChoice {
  switch (choice.mode) {
    case 'named':
      return { mode: 'allowed', names: [choice.name], required: false }
    case 'allowed':
      return { ...choice, required: false }
    default:
      return { mode: 'auto' }
  }
}

/** If thinking cannot be switched off, the vendor recommends the lowest effort. */
const fitThinkingOff: Fit = (request, { takes }, losses) => {
  const { reasoning } = request
  const isOff = reasoning !== undefined && effortOf(reasoning) === 'none'
  if (!isOff || takes.thinkingOff !== 'refused') return request
  losses.changed('reasoning_effort')
  const [first = 'low', ...others] = takes.efforts ?? []
  const least = nearestEffort('none', [first, ...others])
  return { ...request, reasoning: least === 'none' ? reasoning : { effort: least } }
}

/** An answer to be continued is presented as one that was cut off, as Anthropic's migration guides advise. */
const fitPrefill: Fit = (request, { takes }, losses) => {
  const last = request.turns.at(-1)
  const isOpen = last?.role !== 'assistant' || last.parts.some(({ kind }) => kind === 'tool-call')
  if (takes.prefill !== false || isOpen) return request
  losses.changed('messages')
  const turn = { role: 'user', parts: [{ kind: 'text', text: GO_ON }] } as const
  return { ...request, turns: [...request.turns, turn] }
}

const GO_ON = 'Your answer was cut off. Go on exactly where it ends, without repeating any of it.'

const fitSchema: Fit = (request, { takes }, losses) => {
  const { format, system, ...rest } = request
  if (takes.schemas !== false || format?.type !== 'schema') return request
  losses.changed('response_format')
  losses.changed('system')
  const text = `Answer with one JSON object and nothing else. It matches this JSON Schema:\n${JSON.stringify(format.schema)}`
  return { ...rest, system: [...system, { kind: 'text', text }] }
}

const FITS: readonly Fit[] = [fitForcedCall, fitThinkingOff, fitPrefill, fitSchema]
