/** The keys of a channel as stored: a text to seal, and how many keys it lists. */
export interface WrittenKeys {
  readonly text: string
  /** 0: the text is a single key as it stands. Otherwise it is a JSON list of this many keys. */
  readonly count: number
}

/** A single key is stored as it stands, unless its channel lists its keys. */
export function writeKeys(keys: readonly string[], asList = keys.length > 1): WrittenKeys {
  const [only] = keys
  return asList || only === undefined ? { text: JSON.stringify(keys), count: keys.length } : { text: only, count: 0 }
}

/** The keys in an opened text, in order; undefined when it should be a list of texts and is not. */
export function readKeys(text: string, count: number): readonly string[] | undefined {
  if (count === 0) return [text]
  const list = parse(text)
  return Array.isArray(list) && list.every((key): key is string => typeof key === 'string') ? list : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
