import { isIP } from 'node:net'
import type { Vault } from '@sluice/store/vault'
import type { ChannelRules } from '../declared/channel-rules.ts'
import { type Configuration, createConfiguration } from '../declared/configuration.ts'
import { createSecretFileReader } from '../declared/document/read-secret-file.ts'
import { createSecretResolver, type ResolveSecret } from '../declared/document/secrets.ts'
import { newRequestId } from '../edge/request-id.ts'
import type { Config } from '../environment/environment.ts'
import { VARIABLES } from '../environment/variables.ts'
import { createChannelKinds } from '../management/channel-kinds.ts'
import { keysOf, sealedKeys } from '../management/channels/channel-changes.ts'
import { planDeclared } from '../management/channels/declared-channel.ts'
import { fingerprintOf } from '../management/channels/key-changes.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import type { Data } from './open-data.ts'

export function rulesOf(config: Pick<Config, 'upstreamPrivate' | 'callerKeyOrigins'>, vault: Vault) {
  const kinds = createChannelKinds(Date.now, () => '')
  const guard = createAddressGuard(config.upstreamPrivate)
  const { callerKeyOrigins } = config
  const isHostAllowed = (host: string) => isIP(host) === 0 || guard.allows(host)
  const deps = { vault, kinds, callerKeyOrigins, isHostAllowed }
  const rules: ChannelRules = {
    plan: (form, stored) => planDeclared(deps, form, stored),
    keysOf: (stored) => keysOf(deps, stored),
    sealKeys: (keys, before) =>
      sealedKeys(deps, keys, keys.length > 1 || (before !== undefined && before.keyCount > 0)),
    fingerprint: fingerprintOf,
    typeName: (type) => kinds.name(type) ?? String(type),
  }
  return { rules, priceOverridesProblem: kinds.priceOverridesProblem }
}

export function configurationOf(
  config: Pick<Config, 'upstreamPrivate' | 'callerKeyOrigins'>,
  { database, vault, now }: Pick<Data, 'database' | 'vault' | 'now'>,
  onCalledAnew?: (channels: readonly number[]) => void,
): Configuration {
  return createConfiguration({
    database,
    vault,
    ...rulesOf(config, vault),
    now,
    newId: newRequestId,
    steady: () => performance.now(),
    onCalledAnew,
  })
}

/** Resolves references in a file on this machine. */
export function localSecrets(dataDir: string, environment: NodeJS.ProcessEnv): ResolveSecret {
  return createSecretResolver({
    environment,
    readFile: createSecretFileReader(dataDir),
    isOwnVariable,
    isRemote: false,
  })
}

/** Resolves references in a file that was sent over the API. */
export function remoteSecrets(environment: NodeJS.ProcessEnv): ResolveSecret {
  return createSecretResolver({ environment, isOwnVariable, isRemote: true })
}

function isOwnVariable(name: string): boolean {
  return name.startsWith('SLUICE_') || Object.values(VARIABLES).some((variable) => variable.name === name)
}
