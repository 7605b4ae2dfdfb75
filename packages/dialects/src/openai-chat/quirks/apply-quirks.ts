import type { ModelTraits } from '../../canon/codec.ts'
import { type Loss, Losses } from '../../canon/losses.ts'
import type { JsonObject } from '../../json-value.ts'
import { fitMessages } from './messages.ts'
import type { Quirk } from './quirk.ts'
import { fitSettings } from './settings.ts'
import { fitThinking } from './thinking.ts'
import { fitTools } from './tools.ts'

/** Who is asked. */
export interface QuirkTarget {
  /** The provider's name of the model. */
  readonly model: string
  readonly takes: ModelTraits
}

/** A body while quirks are applied: members are replaced, never changed inside. */
export type Fitting = Record<string, unknown>

/** Each rule in turn changes the members that it is about. */
export type Fit = (body: Fitting, quirks: ReadonlySet<Quirk>, losses: Losses, target: QuirkTarget) => void

const FITS: readonly Fit[] = [fitSettings, fitThinking, fitTools, fitMessages]

/**
 * Turns a body in OpenAI's format into one that the provider takes; fields of vendors stay as they are. For translated bodies and
 * for those that are passed on. Idempotent.
 */
export function applyQuirks(
  body: JsonObject,
  quirks: readonly Quirk[],
  target: QuirkTarget,
): { readonly body: JsonObject; readonly losses: readonly Loss[] } {
  if (quirks.length === 0) return { body, losses: [] }
  const losses = new Losses()
  const fitted: Fitting = { ...body }
  const all = new Set(quirks)
  for (const fit of FITS) fit(fitted, all, losses, target)
  return { body: fitted, losses: losses.list() }
}
