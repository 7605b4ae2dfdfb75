import type { JsonObject } from '@sluice/dialects/json-value'
import type { ProviderKind } from './kinds/kind.ts'

/** The parts of a channel that decide how its provider is called. */
export interface ChannelSetup {
  readonly kind: ProviderKind
  /** Blank for the kind's default. */
  readonly baseUrl: string
  /** The column `config`, parsed. */
  readonly config: JsonObject
  /** What the column of this name contains: an API version, a library. */
  readonly other: string
  /** Unencrypted. Its form can determine the address; nothing built from it contains it. */
  readonly key: string
  /** Requested model → ARN of an inference profile, as the column's JSON text. */
  readonly inferenceProfileArnMap: string | null
}

/** Why a channel cannot be used as it is: a sentence for its administrator, without any secret. */
export interface SetupProblem {
  readonly problem: string
}

export function isSetupProblem(value: object): value is SetupProblem {
  return 'problem' in value
}
