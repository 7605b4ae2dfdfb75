import type { ModelTraits } from '../../canon/codec.ts'
import type { Quirk } from './quirk.ts'
import { hasOwnSampling } from './settings.ts'

const WISHES = ['"reasoning', '"thinking', '"enable_thinking"'] as const

/** Texts in a body that a quirk may change; a quirk without an entry does not concern the body. */
const MARKS: Readonly<Partial<Record<Quirk, readonly string[]>>> = {
  'max-tokens-only': ['"max_completion_tokens"'],
  'no-developer': ['"developer"'],
  'no-store': [
    '"store"',
    '"metadata"',
    '"prompt_cache',
    '"safety_identifier"',
    '"verbosity"',
    '"prediction"',
    '"moderation"',
  ],
  'no-stream-options': ['"stream_options"'],
  'string-content': ['"text"'],
  'string-tool-content': ['"tool_call_id"'],
  'no-null-content': ['null'],
  'clamp-sampling': ['"temperature"', '"top_p"'],
  'short-tool-ids': ['"tool_call_id"', '"tool_calls"'],
  'no-json-schema': ['"json_schema"'],
  'no-strict-tools': ['"strict"'],
  'fixed-sampling': ['"temperature"', '"top_p"', '"top_k"', '_penalty"', '"n"'],
  'known-fields-only': [''],
  'no-logprobs': ['"logprobs"', '"top_logprobs"', '"logit_bias"', '"top_k"', '"name"', '"n"'],
  'tool-stream': ['"tools"'],
  'needs-reasoning': ['"tool_calls"'],
  'thinking-type': WISHES,
  'enable-thinking': WISHES,
  'reasoning-object': WISHES,
  'reasoning-enabled': WISHES,
  'google-thinking': WISHES,
  'reasoning-split': [''],
}

/**
 * Whether a body must be read for these quirks; otherwise it is passed on byte for byte. `holds` tells whether the body contains a
 * text, and is true for the empty text. `takes` is called only if needed.
 */
export function isTouched(
  quirks: readonly Quirk[],
  takes: () => ModelTraits,
  holds: (text: string) => boolean,
): boolean {
  return quirks.some((quirk) => marksOf(quirk, takes).some((mark) => holds(mark)))
}

function marksOf(quirk: Quirk, takes: () => ModelTraits): readonly string[] {
  if (quirk === 'one-cap') return hasOwnSampling(takes()) ? ['"max_tokens"'] : ['"max_completion_tokens"']
  if (quirk === 'fixed-sampling' && !hasOwnSampling(takes())) return []
  return MARKS[quirk] ?? []
}
