import { ERRORS_IN_CHINESE } from './errors-in-chinese.ts'
import { type Refusal, withParams } from './errors.ts'
import { PHRASES_IN_CHINESE } from './phrases-in-chinese.ts'

/** A phrase with places, such as `limited to {n} tokens`. */
interface Pattern {
  readonly matches: RegExp
  readonly chinese: string
}

/** Characters that mean something in a pattern. */
const SPECIAL = /[.*+?^${}()|[\]\\]/g
const PLACE = /\{(\w+)\}/g
const EXACT = new Map(PHRASES_IN_CHINESE)
const PATTERNS: readonly Pattern[] = PHRASES_IN_CHINESE.filter(([english]) => english.includes('{')).map(
  ([english, chinese]) => ({ matches: patternOf(english), chinese }),
)

/** Places that the gateway fills with words of its own; all others have names, numbers and the words of others. */
const OWN_WORDS = new Set(['what', 'reason', 'rule'])
/** Characters. A longer text is no phrase of ours, and may be made to keep a pattern busy. */
const LONGEST_PHRASE = 300

/** The Chinese text of a refusal. What has no translation, such as the words of a provider, stays as it is. */
export function refusalInChinese({ code, params = {} }: Refusal): string {
  const translated = Object.entries(params).map(([name, value]) => {
    const isPhrase = OWN_WORDS.has(name) && typeof value === 'string' && value.length <= LONGEST_PHRASE
    return [name, isPhrase ? phraseInChinese(value) : value] as const
  })
  return withParams(ERRORS_IN_CHINESE[code], Object.fromEntries(translated))
}

function phraseInChinese(english: string): string {
  const exact = EXACT.get(english)
  if (exact !== undefined) return exact
  for (const { matches, chinese } of PATTERNS) {
    const places = matches.exec(english)?.groups
    if (places !== undefined) return withParams(chinese, places)
  }
  return english
}

function patternOf(english: string): RegExp {
  const parts = english
    .split(PLACE)
    .map((part, at) => (at % 2 === 0 ? part.replace(SPECIAL, String.raw`\$&`) : `(?<${part}>.+?)`))
  return new RegExp(`^${parts.join('')}$`, 's')
}
