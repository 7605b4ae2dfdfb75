import { kindOf } from '../kinds/all.ts'
import { parseModelMapping } from '../model-mapping.ts'
import { parseModelConfigs } from '../prices/model-configs.ts'
import { configProblems, missingConfigProblem } from './config-fields.ts'
import { type FieldProblem, isPlainAddress, problem } from './field-problem.ts'
import { isObject, type JsonObject, parseObject } from './json-object.ts'

/** Channel fields whose rules depend on the type, or on what the relay can read. */
export interface ChannelDraft {
  readonly type: number
  /** Without a trailing slash; empty for the type's default. */
  readonly baseUrl: string
  readonly other: string
  /** Without blank members. */
  readonly config: JsonObject
  readonly modelMapping: string | null
  readonly modelConfigs: string | null
  readonly inferenceProfileArnMap: string | null
  /** The first key; undefined when it cannot be decrypted. Its form is checked where keys are read. */
  readonly key: string | undefined
}

const ARN = /^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:\d*:[\w./:-]+$/
const ADDRESS_RULE = 'must be an http:// or https:// address without a user, query or fragment'

export function channelProblems(draft: ChannelDraft): readonly FieldProblem[] {
  const { type: code } = draft
  const kind = kindOf(code)
  if (kind === undefined) return [problem('type', 'Unknown channel type')]
  const found: readonly (FieldProblem | undefined)[] = [
    draft.baseUrl === '' && kind.address.baseUrlRequired
      ? problem('base_url', 'Base URL is required for this channel type')
      : undefined,
    draft.baseUrl === '' || isPlainAddress(draft.baseUrl) ? undefined : problem('base_url', ADDRESS_RULE),
    inField('other', otherProblem(code, draft.other)),
    ...configProblems(code, draft.config),
    missingConfigProblem(code, draft),
    inField('model_mapping', problemOf(parseModelMapping(draft.modelMapping))),
    inField('model_configs', problemOf(parseModelConfigs(draft.modelConfigs))),
    inField('inference_profile_arn_map', arnMapProblem(draft.inferenceProfileArnMap)),
  ]
  return found.filter((one) => one !== undefined)
}

function inField(field: string, rule: string | undefined): FieldProblem | undefined {
  return rule === undefined ? undefined : problem(field, rule)
}

function problemOf(parsed: object): string | undefined {
  return 'problem' in parsed && typeof parsed.problem === 'string' ? parsed.problem : undefined
}

/** The map's ARNs replace the model in a path, so no other values are allowed. */
function arnMapProblem(text: string | null): string | undefined {
  if (text === null || text.trim() === '') return undefined
  const map = parseObject(text)
  if (!isObject(map)) return 'Invalid JSON format'
  for (const [model, arn] of Object.entries(map)) {
    if (model.trim() === '') return 'Model name cannot be empty'
    if (typeof arn !== 'string' || !ARN.test(arn)) return `Invalid ARN for model "${model}"`
  }
  return undefined
}

/** Types that do not use the column keep its content. */
const ANY = { accepts: /^\P{Cc}*$/u, rule: 'must not contain control characters' }

/** The text to store: trimmed, and if empty, replaced by the type's default. */
export function storedOther(code: number, other: string): string {
  return other.trim() || (kindOf(code)?.other?.fallback ?? '')
}

export function otherProblem(code: number, other: string): string | undefined {
  const { accepts, rule } = kindOf(code)?.other ?? ANY
  return other === '' || accepts.test(other) ? undefined : rule
}
