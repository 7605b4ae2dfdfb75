import { CALL_LISTS, LEFT_OUT } from './specification-calls.ts'

export interface Walked {
  readonly call: string
  readonly source: string
  readonly state: 'served' | 'missing' | 'left out'
  /** Spellings that are not served although the other spelling is. */
  readonly problem: string
}

const MISSING = ['unknown_path', 'method_not_allowed', 'not_implemented']

/** Makes every call as a guest, with and without the trailing slash. Nothing changes; answers show which calls exist. */
export async function walkCalls(url: string): Promise<readonly Walked[]> {
  const walked: Walked[] = []
  for (const { source, calls } of CALL_LISTS) {
    for (const call of calls) walked.push({ call, source, ...(await walkCall(url, call)) })
  }
  return walked
}

async function walkCall(url: string, call: string): Promise<Pick<Walked, 'state' | 'problem'>> {
  const [method = '', path = ''] = call.split(' ')
  const bare = path
    .replace(/\{(?:trace|request)_id\}/, '7'.repeat(32))
    .replace(/\{\w+\}/g, '7')
    .replace(/\/$/, '')
  const spellings = method === 'POST' && path.startsWith('/v1/') ? [bare] : [bare, `${bare}/`]
  const missing: string[] = []
  for (const spelling of spellings) if (!(await isServed(url, method, spelling))) missing.push(spelling)
  const isLeftOut = LEFT_OUT[call] !== undefined
  if (missing.length === 0) {
    return isLeftOut
      ? { state: 'left out', problem: 'is served: take it off the list' }
      : { state: 'served', problem: '' }
  }
  const problem = missing.length < spellings.length ? `${missing.join()} is missing` : ''
  return { state: isLeftOut ? 'left out' : 'missing', problem }
}

async function isServed(url: string, method: string, path: string): Promise<boolean> {
  const body = method === 'POST' || method === 'PUT' ? { body: '{}' } : {}
  const reply = await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, ...body })
  const type = reply.headers.get('content-type') ?? ''
  const text = await reply.text()
  // An unknown path is answered with the console's page.
  if (!type.includes('json')) return false
  const { code, error } = JSON.parse(text) as { code?: string; error?: { code?: string } }
  return !MISSING.includes(code ?? error?.code ?? '')
}
