/** What the column `other` holds for a type that uses it. */
interface OtherField {
  readonly accepts: RegExp
  /** Continues "other …". */
  readonly rule: string
  /** Stored for an empty one. */
  readonly fallback?: string
}

const HEADER_SAFE = /^[ -~]+$/

const OTHER_FIELDS: Readonly<Record<number, OtherField>> = {
  3: {
    accepts: /^(?:\d{4}-\d{2}-\d{2}(?:-preview)?|v1|preview|latest)$/,
    rule: 'must be an API version such as 2024-03-01-preview, v1, preview or latest',
    fallback: '2024-03-01-preview',
  },
  11: { accepts: /^v\d[a-z0-9]*$/, rule: 'must be an API version such as v1beta' },
  17: { accepts: HEADER_SAFE, rule: 'must be the name of a plugin in printable ASCII characters' },
  18: { accepts: /^v\d\.\d$/, rule: 'must be a Spark version such as v3.5' },
  21: { accepts: /^[\w-]{1,100}$/, rule: 'must be the id of a library' },
  24: { accepts: /^v\d[a-z0-9]*$/, rule: 'must be an API version such as v1beta' },
}

/** Types without a use for the column keep what is written there. */
const ANY: OtherField = { accepts: /^\P{Cc}*$/u, rule: 'may not hold control characters' }

/** The text to store: trimmed, an empty one replaced where the type has a default. */
export function storedOther(code: number, other: string): string {
  return other.trim() || (OTHER_FIELDS[code]?.fallback ?? '')
}

export function otherProblem(code: number, other: string): string | undefined {
  const { accepts, rule } = OTHER_FIELDS[code] ?? ANY
  return other === '' || accepts.test(other) ? undefined : rule
}
