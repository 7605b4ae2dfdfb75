import type { JsonObject } from '@sluice/dialects/json-value'
import type { ProviderKind } from './kinds/kind.ts'

export interface ChannelSetup {
  readonly kind: ProviderKind
  /** Blank for the kind's default. */
  readonly baseUrl: string
  readonly config: JsonObject
  /** The column `other`: an API version, a library. */
  readonly other: string
  /** Unencrypted. Its form can determine the address; nothing built from the setup contains it. */
  readonly key: string
  /** Requested model → ARN of an inference profile, as JSON text. */
  readonly inferenceProfileArnMap: string | null
}

/** Why a channel cannot be used as it is: a sentence for its administrator, without any secret. */
export interface SetupProblem {
  readonly problem: string
}

export function isSetupProblem(value: object): value is SetupProblem {
  return 'problem' in value
}
