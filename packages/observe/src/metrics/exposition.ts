import type { Family } from './family.ts'

/** Help and type of a family. https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function titleLines({ name, help, kind }: Family): string {
  const text = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return `# HELP ${name} ${text}\n# TYPE ${name} ${kind}\n`
}

/** One value. `labels` are the values of `names`. */
export function sampleLine(name: string, names: readonly string[], labels: readonly string[], value: number): string {
  return `${name}${labelText(names, labels)} ${numberText(value)}\n`
}

/** The lines of one histogram series; the last element of `counts` is for values above all buckets. */
export function histogramLines(
  { name, labels: names, buckets }: Family,
  labels: readonly string[],
  counts: ArrayLike<number>,
  sum: number,
): string {
  let text = ''
  let below = 0
  const withBound = [...names, 'le']
  for (let at = 0; at < counts.length; at++) {
    below += counts[at] ?? 0
    const bound = buckets[at] ?? Infinity
    text += sampleLine(`${name}_bucket`, withBound, [...labels, numberText(bound)], below)
  }
  return text + sampleLine(`${name}_sum`, names, labels, sum) + sampleLine(`${name}_count`, names, labels, below)
}

function labelText(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return ''
  return `{${names.map((name, at) => `${name}="${escaped(values[at] ?? '')}"`).join(',')}}`
}

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function numberText(value: number): string {
  if (value === Infinity) return '+Inf'
  if (value === -Infinity) return '-Inf'
  return String(value)
}
