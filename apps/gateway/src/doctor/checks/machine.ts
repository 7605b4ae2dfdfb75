import type { Found } from '@sluice/contract/findings/catalogue'
import { type Check, orWell } from '../check.ts'
import { sizeText } from '../in-words.ts'
import { type KnownReplica, type ReplicaFacts, replicaInWords } from '../replica-facts.ts'

/** Memory of a gateway without requests; see bench/README.md. */
const BASE_BYTES = 200_000_000

interface SaidReplica {
  readonly id: string
  readonly facts: ReplicaFacts
}

/** Compares the limits of machines or containers with the configuration of their gateways. */
export function machineCheck(replicas: () => Promise<readonly KnownReplica[]>): Check {
  return {
    name: 'machine',
    examine: async () => {
      const known = await replicas()
      const said = known.flatMap(({ id, facts }) => (facts === undefined ? [] : [{ id, facts }]))
      if (said.length === 0) return []
      const machines = Map.groupBy(said, ({ id }) => machineOf(id))
      return orWell([...said.flatMap(ofReplica), ...[...machines].flatMap(([name, on]) => ofMachine(name, on))], {
        id: 'machine.ok',
      })
    },
  }
}

const machineOf = (id: string): string => replicaInWords(id).replace(/:\d+$/, '')

function ofReplica({ id, facts }: SaidReplica): readonly Found[] {
  const { requests, fileLimit } = facts
  if (requests.admitted >= requests.wanted) return []
  const { wanted, admitted, enoughFiles } = requests
  const params = { limit: fileLimit, wanted, enough: enoughFiles, requests: admitted }
  return [{ id: 'machine.files', subject: replicaInWords(id), params }]
}

function ofMachine(subject: string, on: readonly SaidReplica[]): readonly Found[] {
  const processes = on.length
  const all = on.map(({ facts }) => facts)
  const found: Found[] = []
  const needed = all.reduce((sum, { bodyMemory }) => sum + BASE_BYTES + bodyMemory, 0)
  const limit = Math.max(...all.map(({ memoryLimit }) => memoryLimit))
  if (limit > 0 && limit < needed) {
    found.push({
      id: 'machine.memory',
      subject,
      params: { limit: sizeText(limit), needed: sizeText(needed), processes },
    })
  }
  if (processes === 1) return found
  const cores = Math.max(...all.map((each) => each.cores))
  if (processes > cores) found.push({ id: 'machine.processes', subject, params: { processes, cores } })
  if (all.some(({ settings }) => settings['SLUICE_VALKEY_URL'] === '')) {
    found.push({ id: 'machine.shares', subject, params: { processes } })
  }
  return found
}
