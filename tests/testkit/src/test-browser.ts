import type { AskOptions, ManagementBench, Reply } from './management-bench.ts'

/** A browser on the management API, which keeps cookies between calls. */
export interface TestBrowser {
  ask<D = unknown>(method: string, path: string, options?: Omit<AskOptions, 'as'>): Promise<Reply<D>>
  readonly cookies: Map<string, string>
}

/** `cookie`: an existing one, such as `session=…`. */
export function openTestBrowser(bench: ManagementBench, cookie = ''): TestBrowser {
  const cookies = new Map<string, string>()
  const keep = (pair: string): void => {
    const [name = '', value = ''] = pair.split('=')
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  if (cookie !== '') keep(cookie)
  return {
    cookies,
    ask: async (method, path, options = {}) => {
      const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const reply = await bench.ask<never>(method, path, { ...options, as: sent })
      for (const line of reply.headers.getSetCookie()) keep(line.split(';')[0] ?? '')
      return reply
    },
  }
}
