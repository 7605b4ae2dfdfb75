/** How well a password would stand up to guessing. */
export type Strength = 'short' | 'weak' | 'fair' | 'strong'

export const PASSWORD_MIN = 8

/** Words that guessers try first, and their usual variations. */
const COMMON = [
  'password',
  'passw0rd',
  'qwerty',
  'letmein',
  'welcome',
  'admin',
  'iloveyou',
  'abc123',
  '12345678',
  '11111111',
]
/** Minimum bits of guessing effort for a password of each strength. */
const FAIR_BITS = 45
const STRONG_BITS = 65

/**
 * A rough measure, for a hint and never for a refusal: characters that add information, times what their character classes offer.
 * `known` are words that a guesser knows about the person, such as the username.
 */
export function passwordStrength(password: string, known: readonly string[]): Strength {
  if (password.length < PASSWORD_MIN) return 'short'
  const lower = password.toLowerCase()
  const guessed = [...COMMON, ...known.map((word) => word.toLowerCase()).filter((word) => word.length >= 3)]
  const rest = guessed.reduce((text, word) => text.replaceAll(word, '·'), lower)
  const bits = newCharacters(rest) * Math.log2(alphabetOf(password))
  return bits >= STRONG_BITS ? 'strong' : bits >= FAIR_BITS ? 'fair' : 'weak'
}

/** Characters that neither repeat nor continue the previous one (`aaa`, `123`, `cba`). */
function newCharacters(text: string): number {
  const codes = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return codes.filter((code, index) => Math.abs(code - (codes[index - 1] ?? Number.NaN)) > 1 || index === 0).length
}

/** Total number of characters in the character classes that occur. */
function alphabetOf(password: string): number {
  const kinds: ReadonlyArray<readonly [RegExp, number]> = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[ -/:-@[-`{-~]/, 33],
    [/[^ -~]/, 100],
  ]
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)
}
