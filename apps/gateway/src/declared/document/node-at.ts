import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'

/** Names and indexes from the top of a document down to a value. */
export type Path = readonly (string | number)[]

/** `channels[2].models[0]`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}

/** The deepest existing node on a path; if the whole path exists and leads to a list or mapping, the name of that field. */
export function nodeAt(document: Document.Parsed, path: Path): Node | undefined {
  let node: Node | undefined = document.contents ?? undefined
  let place: Node | undefined = node
  for (const [depth, step] of path.entries()) {
    const target: Node | undefined = isAlias(node) ? node.resolve(document) : node
    const next: Child | undefined = childOf(target, step)
    if (next === undefined) break
    const isLast = depth === path.length - 1
    node = next.value
    // A scalar's place is that of its value; a list or mapping begins at its name.
    place = (isLast && !isScalar(next.value) ? next.name : undefined) ?? next.value ?? next.name ?? place
  }
  return place
}

interface Child {
  readonly name?: Node | undefined
  readonly value?: Node | undefined
}

function childOf(node: Node | undefined, step: string | number): Child | undefined {
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step]
    return item === undefined ? undefined : { value: item as Node }
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
  return pair === undefined
    ? undefined
    : { name: pair.key as Node, value: (pair.value ?? undefined) as Node | undefined }
}
