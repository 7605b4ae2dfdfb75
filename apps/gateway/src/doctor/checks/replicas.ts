import type { Found } from '@sluice/contract/findings/catalogue'
import { type Check, orWell } from '../check.ts'
import { type KnownReplica, type ReplicaFacts, replicaInWords } from '../replica-facts.ts'

/** Compares replicas: versions, master keys, and settings that affect how a request is served. */
export function replicaCheck(replicas: () => Promise<readonly KnownReplica[]>): Check {
  return {
    name: 'replicas',
    examine: async () => {
      const known = await replicas()
      if (known.length === 0) return [{ id: 'replicas.none' }]
      const said = known.flatMap(({ id, facts }) => (facts === undefined ? [] : [{ id, facts }]))
      const silent = known.filter(({ facts }) => facts === undefined)
      const found = [
        ...silent.map(({ id }): Found => ({ id: 'replicas.silent', subject: replicaInWords(id) })),
        ...versionsOf(said),
        ...keysOf(said),
        ...settingsOf(said),
      ]
      return orWell(found, { id: 'replicas.ok', params: { count: known.length } })
    },
  }
}

type Said = readonly { readonly id: string; readonly facts: ReplicaFacts }[]

function versionsOf(said: Said): readonly Found[] {
  const versions = [...new Set(said.map(({ facts }) => facts.version))].toSorted()
  return versions.length > 1 ? [{ id: 'replicas.versions', params: { versions: versions.join(', ') } }] : []
}

/** Every replica must be able to decrypt what another seals. */
function keysOf(said: Said): readonly Found[] {
  const sealing = new Set(said.flatMap(({ facts }) => facts.keyIds.slice(0, 1)))
  return said.flatMap(({ id, facts }) =>
    [...sealing]
      .filter((key) => !facts.keyIds.includes(key))
      .map((key): Found => ({ id: 'replicas.keys', subject: replicaInWords(id), params: { key } })),
  )
}

function settingsOf(said: Said): readonly Found[] {
  const names = new Set(said.flatMap(({ facts }) => Object.keys(facts.settings)))
  // Replicas of several versions do not all know the same variables.
  const differs = (name: string): boolean => new Set(said.flatMap(({ facts }) => facts.settings[name] ?? [])).size > 1
  return [...names].filter(differs).map((name): Found => ({ id: 'replicas.settings', subject: name }))
}
