/** Chargeable units besides the five classes of text tokens. Classes are disjoint: tokens counted here are counted nowhere else. */
export const UNIT_CLASSES = [
  // Tokens.
  'audio_input',
  'cached_audio_input',
  'audio_output',
  'image_input',
  'cached_image_input',
  'image_output',
  'video_input',
  /** Reasoning whose price differs from the output's; otherwise reasoning is part of the output. */
  'reasoning_output',
  // Everything else.
  /** One request. */
  'call',
  /** One generated picture, at the size and quality that the price is for. */
  'image',
  /** A millisecond of input audio. */
  'audio_ms',
  /** A millisecond of generated video. */
  'video_ms',
  'character',
  'page',
  /** A search of the web, or one query of a reranker. */
  'search',
  /** A call to any other tool that the provider runs itself. */
  'tool_call',
  /** A billionth of a dollar of the cost that the provider itself reports. */
  'reported_nano_usd',
] as const
export type UnitClass = (typeof UNIT_CLASSES)[number]

/** How many of each class; a class that is missing was not used. Whole numbers. */
export type UnitCounts = { readonly [Class in UnitClass]?: number }
/** Price of one unit in 10^-9 quota points; a class that is missing cannot be charged. */
export type UnitRates = { readonly [Class in UnitClass]?: bigint }

const PROMPT_CLASSES = [
  'audio_input',
  'cached_audio_input',
  'image_input',
  'cached_image_input',
  'video_input',
] as const
const OUTPUT_CLASSES = ['audio_output', 'image_output', 'reasoning_output'] as const

export function promptUnits(counts: UnitCounts | undefined): number {
  return counts === undefined ? 0 : sum(counts, PROMPT_CLASSES)
}

export function outputUnits(counts: UnitCounts | undefined): number {
  return counts === undefined ? 0 : sum(counts, OUTPUT_CLASSES)
}

/** Counts or rates as column text: JSON in the order of `UNIT_CLASSES`, numbers as decimal text. Null when there are none. */
export function encodeUnits(units: UnitCounts | UnitRates | undefined): string | null {
  if (units === undefined) return null
  const parts = UNIT_CLASSES.flatMap((name) => {
    const value = units[name]
    return value === undefined ? [] : [`"${name}":"${value}"`]
  })
  return parts.length === 0 ? null : `{${parts.join(',')}}`
}

/** Reads a column of counts. Throws on a text that `encodeUnits` did not write. */
export function decodeCounts(text: string | null): UnitCounts | undefined {
  return decode(text, Number)
}

/** Reads a column of rates. Throws on a text that `encodeUnits` did not write. */
export function decodeRates(text: string | null): UnitRates | undefined {
  return decode(text, BigInt)
}

function decode<Value>(
  text: string | null,
  read: (value: string) => Value,
): { [Class in UnitClass]?: Value } | undefined {
  if (text === null) return undefined
  const stored = JSON.parse(text) as Readonly<Record<string, string>>
  const units: { [Class in UnitClass]?: Value } = {}
  for (const name of UNIT_CLASSES) {
    const value = stored[name]
    if (value !== undefined) units[name] = read(value)
  }
  return units
}

function sum(counts: UnitCounts, classes: readonly UnitClass[]): number {
  return classes.reduce((total, name) => total + (counts[name] ?? 0), 0)
}
