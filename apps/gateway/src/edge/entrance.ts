import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from '@sluice/contract/errors'
import { isBareBasePath, redirectIntoBasePath, pathWithin } from './base-path.ts'
import type { EdgeDeps } from './edge-deps.ts'
import type { Reply } from './exchange.ts'
import { writeHealth } from './health.ts'
import type { RelayedRequests } from './relayed-requests.ts'
import { originForm, hasOneHost, type Part, type Target, isUpload, targetOf, readsEnvelope } from './route.ts'
import { cutSlowReader, cutStalledReader } from './slow-reader.ts'
import { type UpgradedSocket, replyOn } from './upgrade.ts'
import { envelopeBody, refusalBody, writeRefusal } from './write-refusal.ts'

export class Entrance {
  readonly #deps: EdgeDeps
  readonly #relayed: RelayedRequests
  readonly #isLeaving: () => boolean
  /** Connections with a file upload, which may take as long as the handler allows. */
  readonly #uploading = new WeakSet<Socket>()

  constructor(deps: EdgeDeps, relayed: RelayedRequests, isLeaving: () => boolean) {
    this.#deps = deps
    this.#relayed = relayed
    this.#isLeaving = isLeaving
  }

  isUploading(socket: Socket): boolean {
    return this.#uploading.has(socket)
  }

  serve(request: IncomingMessage, reply: ServerResponse, waitsForContinue: boolean): void {
    const { basePath, limits } = this.#deps
    reply.on('error', this.#onReplyError)
    const id = this.#deps.newId()
    request.url = originForm(request.url ?? '')
    const isBare = isBareBasePath(basePath, request)
    const target = this.#enter(request)
    if (!hasOneHost(request.rawHeaders)) return refuseEarly(request, reply, target, id, { code: 'several_hosts' })
    // For a relayed reply that has ended; while a reply is being written, its writer watches the client.
    const { part } = target
    if (part === 'relay') {
      if (waitsForContinue) this.#relayed.holdBack(request)
      reply.once('prefinish', () => cutSlowReader(reply, limits.clientStallMs))
      return this.#relayed.serve(request, reply, target, id)
    }
    if (waitsForContinue) reply.writeContinue()
    cutStalledReader(reply, limits.clientStallMs)
    reply.setHeader('X-Request-Id', id)
    reply.setHeader('X-Oneapi-Request-Id', id)
    return isBare ? redirectIntoBasePath(basePath, reply) : this.#serveOther(part, request, reply, target, id)
  }

  #serveOther(
    part: Exclude<Part, 'relay'>,
    request: IncomingMessage,
    reply: ServerResponse,
    target: Target,
    id: string,
  ): void {
    switch (part) {
      case 'management':
        if (isUpload(request.method, target)) {
          this.#uploading.add(request.socket)
          reply.once('close', () => this.#uploading.delete(request.socket))
        }
        return this.#deps.management(request, reply)
      case 'health':
        return void writeHealth(reply, target.path, () => this.#problem())
      case 'metrics':
        return this.#deps.metrics(request, reply)
      case 'console':
        return this.#deps.console(request, reply, target.path, id)
      case 'malformed':
        return refuseEarly(request, reply, target, id, {
          code: 'unknown_path',
          params: { method: request.method ?? '', path: '' },
        })
    }
  }

  upgrade(request: IncomingMessage, raw: UpgradedSocket): void {
    const id = this.#deps.newId()
    const target = this.#enter(request)
    const reply = replyOn(raw.socket, request)
    reply.on('error', this.#onReplyError)
    if (!hasOneHost(request.rawHeaders)) refuseEarly(request, reply, target, id, { code: 'several_hosts' })
    else if (target.part === 'relay') this.#relayed.serve(request, reply, target, id, raw)
    else refuseEarly(request, reply, target, id, { code: 'upgrade_refused', params: { path: target.path } })
  }

  /** Why the process is not ready; empty when it is. */
  async #problem(): Promise<string> {
    if (this.#isLeaving()) return 'shutting_down'
    if (this.#relayed.isNearlyFull) return 'overloaded'
    return this.#relayed.refusal()?.code ?? (await this.#deps.databaseProblem())
  }

  #enter(request: IncomingMessage): Target {
    request.url = pathWithin(this.#deps.basePath, request.url ?? '')
    return targetOf(request.url)
  }

  /** Writing after the end of an answer is a bug, but no reason to end the process with all its other answers. */
  readonly #onReplyError = (error: Error): void =>
    this.#deps.log.error({ error }, 'a reply was written in a way that it cannot be')
}

/** Refuses a request before any part of the gateway sees it, in the form that callers of its path expect. */
function refuseEarly(request: IncomingMessage, reply: Reply, target: Target, id: string, refusal: Refusal): void {
  const encode = readsEnvelope(target) ? envelopeBody(request.headers['accept-language']) : refusalBody
  writeRefusal(reply, refusal, id, [], encode)
}
