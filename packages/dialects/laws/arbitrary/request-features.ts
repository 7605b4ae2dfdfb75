import * as fc from 'fast-check'
import type { CacheMark } from '../../src/canon/parts.ts'

/** Optional features of a request; the laws select what each dialect can express. */
export const REQUEST_FEATURES = [
  'images',
  'image_urls',
  'image_detail',
  'audio',
  'video',
  'files',
  'file_names',
  'file_urls',
  'cache',
  'system',
  'system_midway',
  'names',
  'tools',
  'tool_strict',
  'tool_custom',
  'tool_errors',
  'tool_images',
  'tool_choice',
  'allowed_tools',
  'parallel_tools',
  'reasoning',
  'bare_reasoning',
  'refusals',
  'json',
  'schema',
  'effort',
  'budget',
  'adaptive',
  'off',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'n',
  'seed',
  'penalties',
  'logprobs',
  'logit_bias',
  'verbosity',
  'modalities',
  'user',
  'service_tier',
  'metadata',
  'stream',
] as const

export type RequestFeature = (typeof REQUEST_FEATURES)[number]

/** A value or undefined; always undefined if the feature was not selected. */
export type May = <Value>(feature: RequestFeature, value: fc.Arbitrary<Value>) => fc.Arbitrary<Value | undefined>

export type Has = (feature: RequestFeature) => boolean

export function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}

export function cacheMark(may: May): fc.Arbitrary<CacheMark | undefined> {
  return may('cache', fc.constantFrom<CacheMark>({ ttl: '5m' }, { ttl: '1h' }))
}
