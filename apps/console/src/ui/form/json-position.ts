const SPACE = /[ \t\n\r]*/y
// eslint-disable-next-line no-control-regex -- JSON forbids them inside strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const OTHER_SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end'

/**
 * Offset of the first character that cannot be there, the text's length when it ends too early, `undefined` when it is JSON.
 * Browsers word this differently, or do not report it at all.
 */
export function jsonErrorOffset(text: string): number | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found !== ''
  }
  for (;;) {
    take(SPACE)
    const next = text[at]
    if (next === undefined) return expected === ', or end' && open.length === 0 ? undefined : at
    if (expected === ', or end') {
      const within = open.at(-1)
      if (next === ',' && within !== undefined) expected = within === '{' ? 'key' : 'value'
      else if ((next === '}' && within === '{') || (next === ']' && within === '[')) open.pop()
      else return at
      at += 1
    } else if (expected === ':') {
      if (next !== ':') return at
      expected = 'value'
      at += 1
    } else if (expected === 'key' || expected === 'key or }') {
      if (next === '}' && expected === 'key or }') {
        open.pop()
        expected = ', or end'
        at += 1
      } else if (take(STRING)) expected = ':'
      else return at
    } else if (next === '{' || next === '[') {
      open.push(next)
      expected = next === '{' ? 'key or }' : 'value or ]'
      at += 1
    } else if (next === ']' && expected === 'value or ]') {
      open.pop()
      expected = ', or end'
      at += 1
    } else if (take(STRING) || take(OTHER_SCALAR)) expected = ', or end'
    else return at
  }
}

/** Line and column, both from 1. */
export function jsonErrorPosition(text: string): { readonly line: number; readonly column: number } | undefined {
  const offset = jsonErrorOffset(text)
  if (offset === undefined) return undefined
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
