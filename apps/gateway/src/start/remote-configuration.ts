import type { Config } from '../environment/environment.ts'
import type { RemoteConfiguration } from '../management/configuration/configuration-port.ts'
import type { Data } from './open-data.ts'

/** Configuration files over the API. Their code is loaded by the first call: most gateways never have one. */
export function remoteConfigurationOf(
  config: Pick<Config, 'upstreamPrivate' | 'callerKeyOrigins'>,
  data: Pick<Data, 'database' | 'vault' | 'now'>,
  forget: (channel: number) => void,
): RemoteConfiguration {
  let loaded: Promise<RemoteConfiguration> | undefined
  const load = async (): Promise<RemoteConfiguration> => {
    const [{ configurationOf, remoteSecrets }, { createRemoteConfiguration }] = await Promise.all([
      import('./configuration-files.ts'),
      import('../declared/remote-configuration.ts'),
    ])
    const configuration = configurationOf(config, data, (channels) => channels.forEach(forget))
    return createRemoteConfiguration(configuration, remoteSecrets(process.env))
  }
  const open = () => (loaded ??= load())
  return {
    export: async () => await (await open()).export(),
    schema: async () => await (await open()).schema(),
    plan: async (document, prune) => await (await open()).plan(document, prune),
    apply: async (document, order) => await (await open()).apply(document, order),
    release: async (owner, actor) => await (await open()).release(owner, actor),
  }
}
