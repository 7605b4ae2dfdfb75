import type { ModelTraits } from '../../canon/codec.ts'
import { budgetOf, effortOf, knownEffort } from '../../canon/efforts.ts'
import { FieldReader } from '../../canon/field-reader.ts'
import type { Losses } from '../../canon/losses.ts'
import type { ReasoningWish } from '../../canon/request.ts'
import { asObject } from '../../json-value.ts'
import { decodeReasoningWish, WISH_FIELDS } from '../decode-reasoning-wish.ts'
import type { Fit, Fitting } from './apply-quirks.ts'
import type { Quirk } from './quirk.ts'

/** Writes how much to think in the format of one vendor. Members that the client set in the vendor's own field stay. */
type Style = (wish: ReasoningWish, body: Fitting, takes: ModelTraits, losses: Losses) => Fitting

/** DashScope's and SiliconFlow's maximum thinking budget. */
const BUDGET_LIMIT = 32_768

const STYLES: ReadonlyMap<Quirk, Style> = new Map<Quirk, Style>([
  [
    'thinking-type',
    (wish, body, takes, losses) => {
      const { budget_tokens: _, ...own } = asObject(body['thinking']) ?? {}
      const type = wish.off === true ? 'disabled' : 'enabled'
      return { thinking: { ...own, type }, ...effortMember(wish, takes, losses) }
    },
  ],
  [
    'enable-thinking',
    (wish, _, takes, losses) => {
      if (wish.off === true) return { enable_thinking: false }
      if (takes.efforts !== undefined) return { enable_thinking: true, ...effortMember(wish, takes, losses) }
      const budget = budgetOf(wish)
      if (wish.budget === undefined && budget !== undefined) losses.changed('reasoning_effort')
      return { enable_thinking: true, ...(budget ? { thinking_budget: Math.min(budget, BUDGET_LIMIT) } : {}) }
    },
  ],
  [
    'reasoning-object',
    ({ off, budget, effort }, body) => {
      const { effort: _, max_tokens: __, enabled: ___, ...own } = asObject(body['reasoning']) ?? {}
      if (off === true) return { reasoning: { ...own, enabled: false } }
      if (budget !== undefined) return { reasoning: { ...own, max_tokens: budget } }
      return { reasoning: { ...own, ...(effort === undefined ? { enabled: true } : { effort }) } }
    },
  ],
  [
    'reasoning-enabled',
    (wish, _, takes, losses) => ({
      reasoning: { enabled: wish.off !== true },
      ...effortMember(wish, takes, losses),
    }),
  ],
  [
    'google-thinking',
    (wish, body, takes, losses) => {
      if (wish.off === true) return { reasoning_effort: 'none' }
      if (wish.budget === undefined) return effortMember(wish, takes, losses)
      const extra = asObject(body['extra_body']) ?? {}
      const google = asObject(extra['google']) ?? {}
      const config = { include_thoughts: true, ...asObject(google['thinking_config']), thinking_budget: wish.budget }
      return { extra_body: { ...extra, google: { ...google, thinking_config: config } } }
    },
  ],
  [
    'reasoning-split',
    (_, __, ___, losses) => {
      losses.dropped('reasoning_effort')
      return {}
    },
  ],
])

export function styleOf(quirks: Iterable<Quirk>): Style | undefined {
  for (const quirk of quirks) {
    const style = STYLES.get(quirk)
    if (style !== undefined) return style
  }
  return undefined
}

/** Converts thinking settings in OpenAI's or any vendor's format to the target vendor's. */
export const fitThinking: Fit = (body, quirks, losses, { takes }) => {
  if (quirks.has('reasoning-split')) body['reasoning_split'] ??= true
  const hasNoSwitch = takes.thinking === 'effort' && SWITCHES.some((quirk) => quirks.has(quirk))
  const style = hasNoSwitch ? effortAlone : styleOf(quirks)
  if (style === undefined) return
  const read = new FieldReader()
  const { wish } = decodeReasoningWish(read, body)
  // Unreadable settings are left for the provider to refuse.
  if (wish === undefined || read.refusal !== undefined) return
  const isRefused = takes.thinking === 'none' || takes.thinking === 'forced'
  const request = isRefused ? {} : style(wish, body, takes, losses)
  if (isRefused && (takes.thinking === 'forced' || wish.off !== true)) losses.dropped('reasoning_effort')
  for (const name of WISH_FIELDS) delete body[name]
  Object.assign(body, request)
}

/** `reasoning_effort`, unless the model is known to have no efforts. */
function effortMember(wish: ReasoningWish, { thinking, efforts }: ModelTraits, losses: Losses): Fitting {
  const wanted = wish.off === true ? undefined : effortOf(wish)
  if (wanted === undefined || wanted === 'none') return {}
  if (wish.budget !== undefined) losses.changed('reasoning budget')
  // For a model that is known to have no efforts, thinking is only switched on.
  const effort =
    efforts === undefined && thinking !== undefined
      ? undefined
      : knownEffort(wanted, efforts, wish.budget !== undefined)
  if (effort !== wanted) losses.changed('reasoning_effort')
  return effort === undefined ? {} : { reasoning_effort: effort }
}

/** For models without a switch, from a vendor that has one: they accept only an effort. */
const effortAlone: Style = (wish, _, takes, losses) => {
  if (wish.off !== true) return effortMember(wish, takes, losses)
  const least = knownEffort('none', takes.efforts)
  if (least !== 'none') losses.changed('reasoning_effort')
  return { reasoning_effort: least }
}

const SWITCHES: readonly Quirk[] = ['thinking-type', 'enable-thinking']
