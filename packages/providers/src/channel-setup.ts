import type { JsonObject } from '@sluice/dialects/json-value'
import type { ChannelKind } from './kinds.ts'

/** What of a channel decides how its provider is called. */
export interface ChannelSetup {
  readonly kind: ChannelKind
  /** Blank: the kind's own. */
  readonly baseUrl: string
  /** The column `config`, parsed. */
  readonly config: JsonObject
  /** What the column of this name holds: an API version, a library. */
  readonly other: string
  /** In clear. Its form may decide the address; nothing that is made of it holds it. */
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
