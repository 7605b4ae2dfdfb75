/** What is requested of a response that a provider stores. */
export interface StoredTarget {
  readonly id: string
  /** Follows the id in the path: '', `/cancel`, `/input_items`. */
  readonly rest: string
  readonly methods: readonly ('GET' | 'DELETE' | 'POST')[]
}

/** Two paths look like ids: both count or shorten input, and neither is offered. */
const PATH = /^\/v1\/responses\/((?!(?:input_tokens|compact)$)[\w-]{1,256})(\/cancel|\/input_items)?$/

/** `/v1/responses/{id}` and what is under it; undefined for other paths. */
export function storedTarget(path: string): StoredTarget | undefined {
  const [, id, rest = ''] = PATH.exec(path) ?? []
  if (id === undefined) return undefined
  return { id, rest, methods: rest === '' ? ['GET', 'DELETE'] : rest === '/cancel' ? ['POST'] : ['GET'] }
}

/** Query parameters that are forwarded; a key among them is not. */
const PASSED_ON = new Set(['include', 'include[]', 'after', 'before', 'limit', 'order'])

/** The path of the target below that of `/v1/responses` at its provider, which can have a query of its own. */
export function upstreamPath(base: string, { id, rest }: StoredTarget, query: string): string {
  const [path = '', own = ''] = base.split('?')
  const passed = [...new URLSearchParams(query)].filter(([name]) => PASSED_ON.has(name))
  const members = [...new URLSearchParams(own), ...passed]
  const search = members.length === 0 ? '' : `?${new URLSearchParams(members).toString()}`
  return `${path}/${id}${rest}${search}`
}
