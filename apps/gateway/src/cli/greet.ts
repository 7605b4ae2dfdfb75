import type { Config } from '../environment/environment.ts'
import type { Gateway } from '../main.ts'
import { VERSION } from '../process/identity.ts'

export function consoleUrl({ address }: Pick<Gateway, 'address'>, { basePath }: Pick<Config, 'basePath'>): string {
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${isAnywhere(address.address) ? 'localhost' : host}:${address.port}${basePath}`
}

/** The link that signs root in once; undefined without a token. The token is behind the `#`, so it is not sent to any server. */
export function signInUrl(
  gateway: Pick<Gateway, 'address' | 'signInLink'>,
  config: Pick<Config, 'basePath'>,
): string | undefined {
  const token = gateway.signInLink?.token
  return token === undefined ? undefined : `${consoleUrl(gateway, config)}/login#once=${token}`
}

export function greeting(
  gateway: Pick<Gateway, 'address' | 'root' | 'hasConsole' | 'signInLink'>,
  config: Pick<Config, 'host' | 'basePath'>,
): string {
  const url = consoleUrl(gateway, config)
  const lines = [
    '',
    `Sluice ${VERSION} is ready: ${url}`,
    '',
    `  Console   ${gateway.hasConsole ? url : 'not built; run npm start'}`,
    `  API       ${url}/v1`,
    ...signInLines(gateway, config),
  ]
  if (isAnywhere(gateway.address.address)) {
    lines.push('', `  Listening on every address of this machine (SLUICE_HOST=${config.host}).`)
  }
  return [...lines, ''].join('\n')
}

function signInLines(
  gateway: Pick<Gateway, 'address' | 'root' | 'signInLink'>,
  config: Pick<Config, 'basePath'>,
): readonly string[] {
  const { root, signInLink } = gateway
  if (signInLink !== undefined) {
    const minutes = signInLink.lifetimeMs / 60_000
    return [
      `  Sign in   ${signInUrl(gateway, config)}`,
      '',
      `  The link signs root in once, within ${minutes} minutes, in a browser on this machine. Until root has set a`,
      '  password, every start prints a new one.',
    ]
  }
  if (root.password === 'none') {
    return [
      '  Sign in   root has no password: start once with SLUICE_ROOT_PASSWORD,',
      '            or with SLUICE_HOST=127.0.0.1 and SLUICE_PROCESSES=1 for a link that signs root in',
    ]
  }
  if (root.password === 'well-known') {
    return [
      '  Sign in   root / 123456',
      '',
      '  ! Everyone knows this password. Until it is changed, root can sign in only from this machine.',
    ]
  }
  return root.created ? ['  Sign in   root, with the password from SLUICE_ROOT_PASSWORD'] : []
}

function isAnywhere(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}
