import type { Found } from '@sluice/contract/findings/catalogue'
import { type Check, orWell } from '../check.ts'
import { sizeText } from '../in-words.ts'
import { type KnownReplica, type ReplicaFacts, replicaInWords } from '../replica-facts.ts'

/** What a gateway takes without requests, and each relay thread in addition; see bench/README.md. */
const BASE_BYTES = 200_000_000
const THREAD_BYTES = 60_000_000

/** Limits of the machines, or containers, in which gateways run, against what is configured there. */
export function machineCheck(replicas: () => Promise<readonly KnownReplica[]>): Check {
  return {
    name: 'machine',
    examine: async () => {
      const known = await replicas()
      const said = known.flatMap(({ id, facts }) => (facts === undefined ? [] : [{ id, facts }]))
      if (said.length === 0) return []
      return orWell(
        said.flatMap(({ id, facts }) => ofReplica(replicaInWords(id), facts)),
        { id: 'machine.ok' },
      )
    },
  }
}

function ofReplica(subject: string, facts: ReplicaFacts): readonly Found[] {
  const { requests, fileLimit, memoryLimit, bodyMemory, threads, cores } = facts
  const found: Found[] = []
  if (requests.admitted < requests.wanted) {
    const { wanted, admitted, enoughFiles } = requests
    const params = { limit: fileLimit, wanted, enough: enoughFiles, requests: admitted }
    found.push({ id: 'machine.files', subject, params })
  }
  const needed = BASE_BYTES + bodyMemory + (threads > 1 ? threads * THREAD_BYTES : 0)
  if (memoryLimit > 0 && memoryLimit < needed) {
    const params = { limit: sizeText(memoryLimit), needed: sizeText(needed), threads }
    found.push({ id: 'machine.memory', subject, params })
  }
  if (threads > 1 && threads > cores) found.push({ id: 'machine.threads', subject, params: { threads, cores } })
  return found
}
